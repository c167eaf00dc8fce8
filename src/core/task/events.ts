import type { StopReason } from "../loop/events.ts";
import type { Fingerprints } from "../loop/spec.ts";
import type { Level } from "../proof/level.ts";
import type { Journalled } from "../subject.ts";
import type { AgentRole, LoopRole } from "./role.ts";
import type { TaskState } from "./state.ts";
import type { TaskLimits, TaskWork } from "./work.ts";

export type { LoopRole } from "./role.ts";
export { DEFAULT_TASK_LIMITS, type TaskLimits, type TaskWork } from "./work.ts";

/** Facts about a task, each durable before its consequence. */
export type TaskEvent =
  /** An execution has it: for the first time, again after a failure, or where another execution left it. */
  | { type: "task.taken"; execution: string; stages: readonly AgentRole[]; limits: TaskLimits; definition?: string }
  /** Its branch and worktree exist without any work, or are gone: the record of what decides completion was made. */
  | { type: "work.prepared"; work: TaskWork; fingerprints: Fingerprints }
  /** Written before the loop is made, so that a stage never has two. */
  | { type: "stage.began"; place: LoopRole; loop: string }
  | StageEnded
  /** The target was merged into its branch; `conflicts` are the files that an agent has to fix. */
  | { type: "work.updated"; onto: string; head: string; conflicts: readonly string[]; fingerprints: Fingerprints }
  /** The checks on what would become of the target do not pass. */
  | { type: "merge.refused"; findings: readonly string[] }
  /** A commit that was checked and is to become the target's; `onto` is what the target has to be until then. */
  | { type: "merge.proven"; commit: string; onto: string }
  /** The target has it. */
  | { type: "task.merged"; commit: string }
  /** It cannot be merged just now, through no fault of its own, such as a dirty checkout. */
  | { type: "merge.waits"; why: string }
  /** Not possible without the user. */
  | { type: "task.blocked"; why: string }
  /** The first entry of a task that the user or an agent wrote; an agent's task does not run until it is accepted. */
  | { type: "task.added"; by: string }
  | { type: "task.proposed"; by: string }
  /** Its row was removed while an execution had it pinned: the execution continues with it unchanged. */
  | { type: "task.restored"; by: string; state: TaskState }
  /** A change by the user. */
  | { type: "task.accepted"; by: string }
  | { type: "task.cancelled"; by: string }
  | { type: "task.retried"; by: string }
  | { type: "task.dropped"; by: string };

/** A loop of the task has stopped. */
export interface StageEnded {
  type: "stage.ended";
  place: LoopRole;
  loop: string;
  reason: StopReason;
  detail: string;
  iterations: number;
  /** What the coder has to fix, if an agent found faults. */
  findings: readonly string[];
  /** The end of what the agent said last. */
  lastOutput: string;
  /** The fingerprints of what decides completion: only if the stage was verified. */
  fingerprints: Fingerprints | null;
  /** The commit that was verified. */
  head?: string;
  /** What the task's proof is now, or is lowered to; null: it stays what it was. Left out by older versions. */
  proof?: Level | null;
  /** What its agents changed in their copy of the work: it is not kept. */
  discarded?: readonly string[];
  /** What weakens the proof of a stage that is complete. */
  weak?: readonly string[];
}

/** What the journal of a task keeps. */
export interface TaskEntry extends Journalled<TaskEvent> {
  task: string;
}
