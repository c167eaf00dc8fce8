import type { Watchdog } from "../../adapters/io/watchdog.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import type { ProgressReporter } from "../../core/platform.ts";
import type { LaneWork } from "../../core/workflow/decide.ts";
import type { PartEnded, RunEvent } from "../../core/workflow/events.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import type { RunLedger } from "./run-ledger.ts";
import type { RunScene, RunView } from "./run-view.ts";

/** Where a run is driven, who is told, and who looks on. */
export interface RunDriving {
  workspace: Workspace;
  stops: StopControl;
  reporter: ProgressReporter;
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

/** One of the things that a part does at the same time, in one attempt at it. */
export interface LaneContext {
  context: RunContext;
  part: number;
  name: string;
  /** Others run beside it. */
  together: boolean;
  work: LaneWork;
  /** What is written down before it begins; a loop's id is added. */
  began: RunEvent & { type: "part.began" };
  scene: RunScene;
}

/** How an attempt ended. `paused`: it goes on another time. */
export type LaneEnd =
  | { is: "ended"; ended: PartEnded; tell: string | null }
  | { is: "paused"; why: string }
  | { is: "cancelled"; by: string; ended: PartEnded };

/** What keeps a lane from its end. */
export type LaneStop = Exclude<LaneEnd, { is: "ended" }>;
