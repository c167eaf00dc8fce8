import type { RalphError } from "../../core/errors.ts";
import type { StopRequest } from "../../core/loop/events.ts";
import type { Level } from "../../core/proof/level.ts";
import type { TaskStatus } from "../../core/task/task.ts";
import type { Usage } from "../../core/usage.ts";
import type { TaskEnd } from "./context.ts";
import type { KeptChange } from "./pins/pin-book.ts";
import type { LeftTask } from "./stalled-tasks.ts";

/** How an execution ended. */
export interface ExecutionEnd {
  execution: string;
  /** Null if there was nothing left to do. */
  stopped: StopRequest | null;
  tasks: Readonly<Record<string, TaskEnd>>;
  proofs: Readonly<Record<string, Level | null>>;
  counts: Readonly<Partial<Record<TaskStatus, number>>>;
  left: readonly LeftTask[];
  changed: readonly KeptChange[];
  weakened: readonly string[];
  spent: Usage;
  /** Why no more tasks were started, although no stop was requested; those in work were finished first. */
  failure: Failure | null;
  /** How long it took. */
  ms: number;
}

/** Why no more tasks were started. */
export type Failure = Pick<RalphError, "code" | "message" | "hint" | "exitCode">;
