import type { CheckResult } from "../../core/loop/events.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { Note } from "../../core/loop/notes.ts";
import type { ProgressReporter } from "../../core/platform.ts";
import type { LaneWork } from "../../core/workflow/decide.ts";
import type { PartEnded, RunEvent, RunStarted } from "../../core/workflow/events.ts";
import type { RunTypes } from "../../core/workflow/kind.ts";
import type { RunState } from "../../core/workflow/state.ts";
import type { Workspace } from "../../core/workspace.ts";
import type { Ledger } from "../../engine/ledger.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import type { DriverProcess } from "../../runtime/driver.ts";

/** What a driver of a run needs: the workspace, stop requests, where to report, and a view. */
export interface RunDriving {
  workspace: Workspace;
  stops: StopControl;
  reporter: ProgressReporter;
  view?: RunView;
}

export interface RunContext extends RunDriving, DriverProcess {
  id: string;
  ledger: Ledger<RunTypes>;
  started: RunStarted;
  view: RunView;
}

/** One attempt at a step, command or loop of a part; parallel steps have a lane each. */
export interface RunLane {
  context: RunContext;
  part: number;
  name: string;
  /** Whether other lanes run at the same time. */
  together: boolean;
  work: LaneWork;
  /** Journalled before it starts; a loop's id is added. */
  began: RunEvent & { type: "part.began" };
  scene: RunScene;
}

/** How an attempt ended. `paused`: it continues later. */
export type LaneEnd =
  | { is: "ended"; ended: PartEnded; tell: string | null }
  | { is: "paused"; why: string }
  | { is: "cancelled"; by: string; ended: PartEnded };

export type LaneStop = Exclude<LaneEnd, { is: "ended" }>;

interface RunScene {
  part: number;
  lane: number;
  /** The name of the step, the command or the loop. */
  name: string;
}

/** Shows a run to the user or a script, besides its messages. */
export interface RunView {
  /** Every event of the run, once it is durable. */
  run?(event: RunEvent, state: RunState): void;
  /** Every entry of its loops, once it is durable. */
  entry?(scene: RunScene, change: LoopChange): void;
  check?(scene: RunScene, kind: string, command: string, result: CheckResult | null): void;
  note?(note: Note): void;
  say?(words: string): void;
}
