import { checkoutRoot } from "../../adapters/io/checkout.ts";
import type { Mutex } from "../../adapters/io/mutex.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import { withoutFolders } from "../../core/location.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { Note } from "../../core/loop/notes.ts";
import type { TaskEvent } from "../../core/task/events.ts";
import type { TaskTypes } from "../../core/task/kind.ts";
import type { AgentRole, LoopRole } from "../../core/task/role.ts";
import type { TaskState } from "../../core/task/state.ts";
import type { Task } from "../../core/task/task.ts";
import type { TaskLimits, TaskWork } from "../../core/task/work.ts";
import type { Workspace } from "../../core/workspace.ts";
import type { Ledger } from "../../engine/ledger.ts";
import type { StopControl } from "../../engine/stop-control.ts";
import type { DriverProcess } from "../../runtime/driver.ts";
import type { Budget, BudgetLimits } from "./budget.ts";
import type { ExecutionLog } from "./execution-log.ts";
import type { ExecutionBeat } from "./execution-pulse.ts";
import type { Pins } from "./pins/pins.ts";
import type { PipelineSettings } from "./settings.ts";

/** Shared by all tasks of one execution. */
export interface ExecutionContext extends DriverProcess {
  id: string;
  workspace: Workspace;
  /** The folder it was started in. Only merges, the log and receipts change it. */
  cwd: string;
  settings: PipelineSettings;
  stages: readonly AgentRole[];
  limits: TaskLimits;
  target: string;
  pins: Pins;
  view: ExecutionView;
  log: ExecutionLog;
  spending: Pick<Budget, "spend" | "estimate">;
  budget: BudgetLimits;
  /** Only one task of this execution merges at a time. */
  merging: Mutex;
  /** Shows others what it works on. */
  beat: ExecutionBeat;
}

/** A task in progress: every event is journalled before it takes effect. */
export interface TaskLedger extends Pick<Ledger<TaskTypes>, "state"> {
  readonly task: Task;
  write(...events: readonly TaskEvent[]): Promise<void>;
}

export interface TaskContext extends ExecutionContext {
  ledger: TaskLedger;
  stops: StopControl;
}

/** `waits`: proven, but the target cannot be updated now. `left`: interrupted; the next execution continues. */
export type TaskEnd = "done" | "blocked" | "cancelled" | "held" | "failed" | "waits" | "left";

export function workOf({ ledger }: TaskContext): TaskWork {
  const { work } = ledger.state;
  if (!work) throw new Error(`the task ${ledger.task.id} has no worktree`);
  return work;
}

export interface Scene {
  task: string;
  place: LoopRole | "merge" | "work";
}

/** Shows an execution to the user or a script. */
export interface ExecutionView {
  task(id: string, event: TaskEvent, state: TaskState): void;
  entry(scene: Scene, change: LoopChange): void;
  check(scene: Scene, kind: string, command: string, result: CheckResult | null): void;
  note(note: Note): void;
  /** Shows a message; `task` is null if it is about no task in particular. */
  say(task: string | null, words: string): void;
}

/** Blocks a task until the user fixes it. */
export async function blocked(context: TaskContext, why: string): Promise<null> {
  await context.ledger.write({ type: "task.blocked", why: withoutPaths(context, why) });
  return null;
}

/** A text for the journal of a task: paths in it are relative to the state folder or the checkout. */
export const withoutPaths = ({ workspace, cwd }: Pick<TaskContext, "workspace" | "cwd">, text: string): string =>
  withoutFolders(text, [workspace.folder.root, checkoutRoot(cwd) ?? cwd]);

/** Blocks the task for an error in its branch or criteria, so that other tasks continue. Null if it is blocked. */
export async function orBlocked<T>(context: TaskContext, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.exitCode !== EXIT.usage) throw error;
    return blockedBy(context, error);
  }
}

export const blockedBy = (context: TaskContext, { message, hint }: RalphError): Promise<null> =>
  blocked(context, [message, hint].filter(Boolean).join(" — "));
