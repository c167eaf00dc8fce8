import type { StopReason } from "../loop/events.ts";
import type { Fingerprints } from "../loop/spec.ts";
import type { Level } from "../proof/level.ts";
import type { Journalled } from "../subject.ts";
import type { AgentRole, LoopRole } from "./role.ts";
import type { TaskState } from "./state.ts";
import type { TaskLimits, TaskWork } from "./work.ts";

/** Events of a task, each durable before its consequence. */
export type TaskEvent =
  /** An execution took it: for the first time, after a failure, or where another execution stopped. */
  | {
      type: "task.taken";
      execution: string;
      stages: readonly AgentRole[];
      limits: TaskLimits;
      definition?: string;
      version?: string;
    }
  /** Its branch and worktree exist without any work, or are gone; the files that decide completion were recorded. */
  | { type: "work.prepared"; work: TaskWork; fingerprints: Fingerprints }
  /** Written before the loop is created, so that a stage never has two. */
  | { type: "stage.began"; place: LoopRole; loop: string }
  | StageEnded
  /** The target was merged into its branch; `conflicts` are the files that an agent must fix. */
  | { type: "work.updated"; onto: string; head: string; conflicts: readonly string[]; fingerprints: Fingerprints }
  /** The checks on the merge result do not pass. */
  | { type: "merge.refused"; findings: readonly string[] }
  /** A checked commit to which the target will be moved; `onto` is the commit the target must still be at. */
  | { type: "merge.proven"; commit: string; onto: string }
  /** The target contains it. */
  | { type: "task.merged"; commit: string }
  /** It cannot be merged now for a reason outside the task, such as a dirty checkout. */
  | { type: "merge.waits"; why: string }
  /** Its execution stopped while it worked on it. */
  | { type: "task.left"; why: string }
  /** It cannot continue without the user. */
  | { type: "task.blocked"; why: string }
  /** The first entry of a task, written by the user or an agent; an agent's task does not run until it is accepted. */
  | { type: "task.added"; by: string }
  | { type: "task.proposed"; by: string }
  /** Its row was removed while an execution had it pinned: the execution continues with the pinned task. */
  | { type: "task.restored"; by: string; state: TaskState }
  /** A change by the user. */
  | { type: "task.accepted"; by: string }
  | { type: "task.cancelled"; by: string }
  | { type: "task.retried"; by: string }
  /** Unfinished work begins again at the first stage, with the settings of now; its branch stays. */
  | { type: "task.restarted"; by: string }
  | { type: "task.dropped"; by: string };

/** A loop of the task has stopped. */
export interface StageEnded {
  type: "stage.ended";
  place: LoopRole;
  loop: string;
  reason: StopReason;
  detail: string;
  iterations: number;
  /** What the coder must fix, if an agent found faults. */
  findings: readonly string[];
  /** The end of the agent's last message. */
  lastOutput: string;
  /** The fingerprints of the files that decide completion; only if the stage was verified. */
  fingerprints: Fingerprints | null;
  /** The commit that was verified. */
  head?: string;
  /** The task's new proof level; null: unchanged. Omitted by older versions. */
  proof?: Level | null;
  /** Its agents' changes to their copy of the work, which are discarded. */
  discarded?: readonly string[];
  /** What weakens the proof of a completed stage. */
  weak?: readonly string[];
}

/** An entry in the journal of a task. */
export interface TaskEntry extends Journalled<TaskEvent> {
  task: string;
}
