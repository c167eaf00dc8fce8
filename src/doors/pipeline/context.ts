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

/** Shared by all tasks of one execution. */
export interface ExecutionContext {
  id: string;
  workspace: Workspace;
  /** The folder it was started in. Only merges, the log and receipts change it. */
  cwd: string;
  settings: PipelineSettings;
  stages: readonly AgentRole[];
  limits: TaskLimits;
  /** The branch that tasks are merged into. */
  target: string;
  /** The definitions of its tasks from when it started. */
  pins: Pins;
  view: ExecutionView;
  log: ExecutionLog;
  spending: Pick<Budget, "spend" | "estimate">;
  budget: BudgetLimits;
  /** Only one task of this execution merges at a time. */
  merging: Mutex;
  watchdog: Watchdog;
  /** Names this process in the run tokens. */
  processToken: string;
}

/** One task that is being worked on. */
export interface TaskContext extends ExecutionContext {
  ledger: TaskLedger;
  stops: StopControl;
}

/**
 * How work on a task ended. `waits`: proven, but the target cannot be updated now. `left`: interrupted, or the
 * environment failed; the next execution continues.
 */
export type TaskEnd = "done" | "blocked" | "cancelled" | "held" | "failed" | "waits" | "left";

/** The task's branch and worktree, once prepared. */
export function workOf({ ledger }: TaskContext): TaskWork {
  const { work } = ledger.state;
  if (!work) throw new Error(`the task ${ledger.task.id} has no worktree`);
  return work;
}
