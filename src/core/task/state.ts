import type { Fingerprints } from "../loop/spec.ts";
import type { Level } from "../proof/level.ts";
import { AGENT_ROLES, type AgentRole, type LoopRole } from "./role.ts";
import type { TaskStatus } from "./task.ts";
import { DEFAULT_TASK_LIMITS, type TaskLimits, type TaskWork } from "./work.ts";

/** Why an attempt failed, under the names of the document. */
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
  /** The loop that was started for it and has not ended. */
  loop: string | null;
  /** From 1. */
  attempt: number;
  /** How often it was sent back to the coder in this attempt. */
  rounds: number;
  /** Whether its branch has unverified work: then it no longer shows the state before any work. */
  tried: boolean;
  /** What the coder has to fix. */
  findings: { from: LoopRole | "merge"; texts: readonly string[] } | null;
  /** What decides completion, as it was when it was last known to be in order. */
  fingerprints: Fingerprints;
  /** Files of the merge that an agent has to fix. */
  conflicts: readonly string[];
  /** The commit of the target that was last merged into the branch. */
  onto: string | null;
  /** What the branch was after that. */
  updated: string | null;
  /** What the branch was when it was last verified, or when we last merged the target into it. */
  proven: string | null;
  /** The level of its proof: that of its coder's last completed loop, lowered by what followed. */
  proof: Level | null;
  candidate: { commit: string; onto: string } | null;
  merged: string | null;
  /** Why it cannot be merged just now. */
  waits: string | null;
  failure: RalphFailure | null;
  /** What weakens the proof of its coder's last completed loop; left out where nothing does. */
  weak?: readonly string[];
  /** Why it is blocked. */
  blocked: string | null;
  held: boolean;
  /** The agent that proposed it; null once the user has accepted it, and for a task by the user. */
  proposedBy: string | null;
  execution: string | null;
  /** A digest of what decided it when an execution last took it. */
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
