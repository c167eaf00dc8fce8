import type { AgentSpec } from "../agent-spec.ts";
import type { ClaimPolicy } from "../claim/policy.ts";
import type { Proof, SetUpPlan } from "../proof/proof.ts";
import type { LoopRole } from "../task/role.ts";
import type { Usage } from "../usage.ts";
import type { TestCounts } from "./results.ts";

/** The door that created a loop. */
export type Door = "harness" | "workflow" | "pipeline" | "hook";

/** Who drives the loop: the engine, a host's session, or a worker of the fleet. */
export type Driver = "engine" | "host" | "fleet";

/** The limits of a loop. `null` means no limit. */
export interface Limits {
  maxIterations: number | null;
  maxCostUsd: number | null;
  maxTokens: number | null;
  /** Working time; waiting for a usage limit and time without a driver do not count. */
  maxMs: number | null;
  /** The longest wait for one blockage of the environment. */
  maxWaitMs: number | null;
  /** Iterations in a row without new work and with the same result. */
  stuckAfter: number | null;
  /** Agent failures in a row. */
  maxFailures: number;
  /** Tampered claims in the whole loop. */
  maxTampers: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxIterations: 10,
  maxCostUsd: null,
  maxTokens: null,
  maxMs: null,
  maxWaitMs: 6 * 60 * 60_000,
  stuckAfter: 5,
  maxFailures: 3,
  maxTampers: 3,
};

/** The default limit of characters for all feedback together. */
export const DEFAULT_FEEDBACK_CHARS = 12_000;

/** The timeout of a turn, and the grace periods for ending it. */
export interface TurnTimeouts {
  iterationTimeoutMs: number;
  idleTimeoutMs: number;
  /** Between SIGINT and SIGTERM, and again between SIGTERM and SIGKILL. */
  graceMs: number;
}

export const DEFAULT_TURN_TIMEOUTS: TurnTimeouts = {
  iterationTimeoutMs: 60 * 60_000,
  idleTimeoutMs: 20 * 60_000,
  graceMs: 5_000,
};

export const FAIL_ACTIONS = ["APPEND", "PREPEND", "REPLACE"] as const;
/** Where a failing guardrail's output goes in the next prompt. */
type FailAction = (typeof FAIL_ACTIONS)[number];

/** A command run after every iteration; its failure feeds the next prompt and vetoes completion. */
export interface Guardrail {
  name: string;
  command: string;
  timeoutMs: number;
  failAction: FailAction;
  /** Advice from the user to the agent when it fails. */
  hint: string | null;
  /** Run together with adjacent parallel stages. */
  parallel: boolean;
}

/** An action outside the loop. `when` says whether it precedes or follows the verdict. */
export interface Effect {
  /** `task`: any other command of the version control program; afterwards it is unknown whether it happened. */
  kind: "commit" | "push" | "task";
  when: "guarded" | "judged";
  /** The version control program, and the task's arguments. */
  program: string;
  args: readonly string[];
}

export const NOTICES = [
  "stopped",
  "completed",
  "verified",
  "failed",
  "blocked",
  "waiting",
  "iteration",
  "finished",
] as const;
/**
 * The events that send notifications: any stop, any completion, a verified one, the others, stops that need the user,
 * waits, iterations; and the end of an execution.
 */
export type Notice = (typeof NOTICES)[number];

/** Who gets notifications: a shell command, which gets the facts in its environment, or a URL, which gets JSON. */
export interface Recipient {
  on: readonly Notice[];
  run: Receiver;
}

/** The command of a recipient, or its URL. */
export type Receiver = { command: string } | { webhook: string };

/** The part of a task that a loop works on. */
export interface TaskPart {
  task: string;
  place: LoopRole;
  /** The execution it belongs to. */
  execution: string;
  /** What success means for this agent, in words. */
  description: string;
  /** How its claim is verified, in words. */
  method: string;
  /** The commit before any work on the task: judges see all changes since then. */
  base?: string;
  /** The agent must have committed after this commit; if omitted, after the commit at the loop's start. */
  since?: string;
  /** The commit that was last proven: the scope is about what has changed since then. */
  proven?: string;
  /** Results of its checks at the start of its branch, by name, if an earlier loop ran them. */
  was?: Readonly<Record<string, "pass" | "fail" | "unknown">>;
  /** How many tests they ran then. */
  counted?: Readonly<Record<string, TestCounts>>;
  /** The copy that its agent reviews; omitted if it works in the task's own worktree. */
  copy?: CopyOfWork;
  /** Everything that decides any stage of the task: protected in every loop of the task. */
  watched?: readonly Watched[];
}

/** A separate checkout for an agent that reviews and must not change anything. */
export interface CopyOfWork {
  root: string;
  /** The commit it is a copy of: the last proven one. */
  commit: string;
  /** A digest of the task's own branch and worktree, which must not change meanwhile. */
  beside: string;
}

/** The parts of a stage's proof that must not change before that stage starts. */
export interface Watched extends Pick<Proof, "stages" | "cleanRoom" | "protect"> {
  place: LoopRole;
}

/** The part of a workflow run that a loop works on. */
interface RunPart {
  run: string;
  workflow: string;
  /** The name of the part. */
  part: string;
}

/** A session that exists before the loop starts, and its cost so far. */
export interface SessionStart {
  id: string;
  usage: Usage;
}

/** The worktree and branch that Ralph created for a loop. */
export interface LoopWorktree {
  root: string;
  branch: string;
  /** The branch that it started from. */
  target: string;
  /** The folder that the loop was started in, in the user's checkout. */
  cwd: string;
  /** Whether a completed loop is merged into the target. */
  merge: boolean;
  setUp: SetUpPlan;
}

/**
 * What completes a loop. `claim`: a proven claim. `checks`: the checks alone, which run after every turn.
 * `turn`: the first turn that does not fail, with nothing proven.
 */
export type Ending = "claim" | "checks" | "turn";

/** A prompt whose `$NAMES` are filled in again for every turn. */
interface PromptTemplate {
  template: string;
  /** The values that stay the same; those that depend on the turn are added. */
  values: Readonly<Record<string, string>>;
}

/** A loop, resolved: everything a driver needs, so that a resume never reads settings again. */
export interface LoopSpec {
  door: Door;
  title: string;
  /** Null: not part of a task. */
  part: TaskPart | null;
  /** Null: not part of a workflow run. */
  run: RunPart | null;
  cwd: string;
  /** Whether an agent started it: then its scope does not account for changes that another loop finds. */
  byAgent?: true;
  /** Omitted: it works in the user's checkout, or in the worktree of its task. */
  worktree?: LoopWorktree;
  /** Whether the folder is in a git repository, so that the changes of a turn can be seen. */
  tracked: boolean;
  prompt: { text: string } | { file: string } | PromptTemplate;
  /** In order of preference: the next agent takes over while one is limited. Never empty. */
  agents: readonly AgentSpec[];
  /** Whether an iteration continues the session of the previous one. */
  context: "fresh" | "continue";
  /** Whether the prompt of a new session describes the iterations before it. */
  memory?: boolean;
  /** The session that the first iteration continues; null: it starts a new one. */
  session: SessionStart | null;
  ends: Ending;
  claim: ClaimPolicy;
  /** Append the completion requirement to a prompt that does not name the tag. */
  completionInstructions: boolean;
  guardrails: readonly Guardrail[];
  proof: Proof;
  effects: readonly Effect[];
  /** Who writes commit messages. `known`: the agent if Ralph knows its command, because another one might work again. */
  commitMessage: "agent" | "known" | "title";
  /** Commit also the files that were uncommitted before the loop began. */
  allowDirty?: boolean;
  notify: readonly Recipient[];
  /**
   * Receives the hash of the journal's last entry at every stop, to store it where no agent can change it; null: none.
   */
  anchor: Receiver | null;
  limits: Limits;
  patience: TurnTimeouts;
  /** Whether exit code 0 requires a completion of level `judged` or better. */
  strict: boolean;
  /** The maximum number of characters of a command's output in the next prompt. */
  outputTruncateChars: number;
  /** The maximum number of characters of all feedback together. */
  feedbackMaxChars: number;
}

/** Defaults of a loop that belongs to no task or run, starts a new session and ends with a proven claim. */
export const OF_ITS_OWN = {
  part: null,
  run: null,
  session: null,
  ends: "claim",
  strict: false,
  anchor: null,
} as const satisfies Partial<LoopSpec>;

/** Hashes of the files that decide completion, taken when the loop starts: path → digest. */
export type Fingerprints = Readonly<Record<string, string>>;
