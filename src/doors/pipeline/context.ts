import type { Mutex } from "../../adapters/io/mutex.ts";
import type { Watchdog } from "../../adapters/io/watchdog.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import type { TaskLimits, TaskWork } from "../../core/task/events.ts";
import type { AgentRole } from "../../core/task/role.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import type { Budget, BudgetLimits } from "./budget.ts";
import type { ExecutionLog } from "./execution-log.ts";
import type { ExecutionView } from "./execution-view.ts";
import type { Pins } from "./pins/pins.ts";
import type { PipelineSettings } from "./settings.ts";
import type { TaskLedger } from "./task-ledger.ts";

/** What all tasks of one execution share. */
export interface ExecutionContext {
  id: string;
  workspace: Workspace;
  /** The folder that it was started in: nothing in it is touched but what is merged, the log and the receipts. */
  cwd: string;
  settings: PipelineSettings;
  stages: readonly AgentRole[];
  limits: TaskLimits;
  /** The branch that tasks are merged into. */
  target: string;
  /** What decides its tasks, as it was when it began. */
  pins: Pins;
  view: ExecutionView;
  log: ExecutionLog;
  spending: Pick<Budget, "spend" | "estimate">;
  budget: BudgetLimits;
  /** Whose turn it is to be merged, among the tasks of this execution. */
  merging: Mutex;
  watchdog: Watchdog;
  /** Names this process in the run tokens. */
  processToken: string;
}

/** One task in work. */
export interface TaskContext extends ExecutionContext {
  ledger: TaskLedger;
  stops: StopControl;
}

/**
 * How work on a task ended. `waits`: proven, and the target cannot take it just now. `left`: interrupted, or the
 * environment failed; the next execution goes on there.
 */
export type TaskEnd = "done" | "blocked" | "cancelled" | "held" | "failed" | "waits" | "left";

/** Where a task is worked on, once that has been prepared. */
export function workOf({ ledger }: TaskContext): TaskWork {
  const { work } = ledger.state;
  if (!work) throw new Error(`the task ${ledger.task.id} has no worktree`);
  return work;
}
