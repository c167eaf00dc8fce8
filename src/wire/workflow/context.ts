import type { Teller } from "../../core/platform.ts";
import type { Watchdog } from "../../io/watchdog.ts";
import type { StopControl } from "../stops.ts";
import type { Workspace } from "../workspace.ts";
import type { RunLedger } from "./run-ledger.ts";
import type { RunView } from "./run-view.ts";

/** Where a run is driven, who is told, and who looks on. */
export interface RunDriving {
  workspace: Workspace;
  stops: StopControl;
  teller: Teller;
  view?: RunView;
}

/** One run in work. */
export interface RunContext extends RunDriving {
  id: string;
  ledger: RunLedger;
  view: RunView;
  watchdog: Watchdog;
  /** Names this process in the run tokens. */
  processToken: string;
}
