import type { Fingerprints } from "../loop/spec.ts";
import type { Level } from "../proof/level.ts";
import { AGENT_ROLES, type AgentRole, type LoopRole } from "./role.ts";
import type { TaskStatus } from "./task.ts";
import { DEFAULT_TASK_LIMITS, type TaskLimits, type TaskWork } from "./work.ts";

/** Why an attempt failed, with the documented field names. */
interface RalphFailure {
  stage: LoopRole;
  iterations_used: number;
  last_output: string;
  reason: string;
  /** The loop, for `ralph why`. */
  loop: string;
  stop_reason: string;
}

/** The fold of a task's entries. Bounded for any number of attempts. */
export interface TaskState {
  status: TaskStatus;
  stages: readonly AgentRole[];
  limits: TaskLimits;
  work: TaskWork | null;
  /** The current stage or the next one; `merge` once all are verified. */
  at: LoopRole | "merge";
  /** The loop that was started for the stage and has not ended. */
  loop: string | null;
  /** From 1. */
  attempt: number;
  /** How often the task was sent back to the coder in this attempt. */
  rounds: number;
  /** Whether its branch has unverified work: then it no longer shows the state before any work. */
  tried: boolean;
  /** What the coder must fix. */
  findings: { from: LoopRole | "merge"; texts: readonly string[] } | null;
  /** Fingerprints of the files that decide completion, from when they were last known to be untampered. */
  fingerprints: Fingerprints;
  /** Conflicting files of the merge that an agent must fix. */
  conflicts: readonly string[];
  /** The commit of the target that was last merged into the branch. */
  onto: string | null;
  /** The branch's commit after that merge. */
  updated: string | null;
  /** The branch's commit when it was last verified, or when Ralph last merged the target into it. */
  proven: string | null;
  /** Its proof level: that of the coder's last completed loop, perhaps lowered by later stages. */
  proof: Level | null;
  candidate: { commit: string; onto: string } | null;
  merged: string | null;
  /** Why it cannot be merged now. */
  waits: string | null;
  /** Why its execution stopped while it worked on it; omitted if it did not, or by an older version. */
  left?: string;
  failure: RalphFailure | null;
  /** What weakens the proof of its coder's last completed loop; omitted if nothing does. */
  weak?: readonly string[];
  /** Why it is blocked. */
  blocked: string | null;
  held: boolean;
  /** The agent that proposed it; null once the user has accepted it, and for the user's own tasks. */
  proposedBy: string | null;
  execution: string | null;
  /** A digest of its definition when an execution last took it. */
  definition: string | null;
}

export const NEW_TASK: TaskState = {
  status: "todo",
  stages: AGENT_ROLES,
  limits: DEFAULT_TASK_LIMITS,
  work: null,
  at: "coder",
  loop: null,
  attempt: 1,
  rounds: 0,
  tried: false,
  findings: null,
  fingerprints: {},
  conflicts: [],
  onto: null,
  updated: null,
  proven: null,
  proof: null,
  candidate: null,
  merged: null,
  waits: null,
  failure: null,
  blocked: null,
  held: false,
  proposedBy: null,
  execution: null,
  definition: null,
};
