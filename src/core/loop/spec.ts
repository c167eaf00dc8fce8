import type { AgentSpec } from "../agent-spec.ts";
import type { ClaimPolicy } from "../claim/policy.ts";
import type { Proof } from "../proof/proof.ts";
import type { LoopRole } from "../task/role.ts";
import type { Usage } from "../usage.ts";

export type { AgentSpec } from "../agent-spec.ts";

/** The way in that made a loop. */
export type Door = "harness" | "workflow" | "pipeline" | "hook";

/** Who performs the decisions: our engine, a host's session, or a worker of the fleet. */
export type Driver = "engine" | "host" | "fleet";

/** How far a loop may go. `null` means no limit. */
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

/** How long one turn may take, and how gently it is ended. */
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

/** Something done to the world outside the loop. `when` says whether it precedes or follows the verdict. */
export interface Effect {
  /** `task`: any other command of the version control program; it is not known afterwards whether it happened. */
  kind: "commit" | "push" | "task";
  when: "guarded" | "judged";
  /** The version control program, and the task's words. */
  program: string;
  args: readonly string[];
}

export const NOTICES = ["stopped", "completed", "verified", "failed", "blocked", "waiting", "iteration"] as const;
/**
 * What can be reported to the outside: any stop, any completion, a verified one, the others, those that need the user,
 * waits, iterations.
 */
export type Notice = (typeof NOTICES)[number];

/** Who gets notifications: a shell command that reads the facts from its environment, or a URL that gets them as JSON. */
export interface Recipient {
  on: readonly Notice[];
  run: Receiver;
}

/** What is run, or where it is sent to. */
export type Receiver = { command: string } | { webhook: string };

/** The part of a task that a loop works on. */
export interface TaskPart {
  task: string;
  place: LoopRole;
  /** The execution that it belongs to. */
  execution: string;
  /** What success means for this agent, in words. */
  description: string;
  /** How its claim is verified, in words. */
  method: string;
  /** Where the work of the task begins: judges see all changes since then. */
  base?: string;
  /** The commit since which its agent has to have made another; where left out, the one that the loop began at. */
  since?: string;
  /** What its checks said when its branch began, by their names, where an earlier loop has asked them. */
  was?: Readonly<Record<string, "pass" | "fail" | "unknown">>;
  /** The copy of the work that its agent looks at; left out where it works on the task's own worktree. */
  copy?: CopyOfWork;
  /** What decides all the stages of the task: it is protected in every loop of it, whichever one it decides. */
  watched?: readonly Watched[];
}

/** A checkout of its own for an agent that is to look and not to change. */
export interface CopyOfWork {
  root: string;
  /** What it is a copy of: the commit that was proven last. */
  commit: string;
  /** A digest of the task's own branch and worktree, which have to stay as they are meanwhile. */
  beside: string;
}

/** The parts of a stage's proof that must not change before that stage begins. */
export interface Watched extends Pick<Proof, "stages" | "cleanRoom" | "protect"> {
  place: LoopRole;
}

/** The part of a workflow's run that a loop works on. */
interface RunPart {
  run: string;
  workflow: string;
  /** The name of the part. */
  part: string;
}

/** A session that is there before a loop begins, and what it had cost by then. */
export interface SessionStart {
  id: string;
  usage: Usage;
}

/**
 * What completes a loop. `claim`: a proven claim. `checks`: the checks alone, which run after every turn.
 * `turn`: the first turn that does not fail, with nothing proven.
 */
export type Ending = "claim" | "checks" | "turn";

/** A prompt whose `$NAMES` are filled in anew for every turn. */
interface PromptTemplate {
  template: string;
  /** Those that stay the same; what depends on the turn is added to them. */
  values: Readonly<Record<string, string>>;
}

/** A loop, resolved: everything a driver needs, so that a resume never reads settings again. */
export interface LoopSpec {
  door: Door;
  title: string;
  /** Null: it is no part of a task. */
  part: TaskPart | null;
  /** Null: it is no part of a workflow's run. */
  run: RunPart | null;
  cwd: string;
  /** Whether the folder is in a git repository, so that what a turn does to the tree can be seen. */
  tracked: boolean;
  prompt: { text: string } | { file: string } | PromptTemplate;
  /** In order of preference: the next one takes over while one is limited. Never empty. */
  agents: readonly AgentSpec[];
  /** Whether an iteration continues the session of the one before. */
  context: "fresh" | "continue";
  /** The session that the first iteration continues; null: it begins one. */
  session: SessionStart | null;
  ends: Ending;
  claim: ClaimPolicy;
  /** Append the completion requirement to a prompt that does not name the tag. */
  completionInstructions: boolean;
  guardrails: readonly Guardrail[];
  proof: Proof;
  effects: readonly Effect[];
  /** Who writes commit messages. */
  commitMessage: "agent" | "title";
  notify: readonly Recipient[];
  /**
   * Gets the hash of the journal's last entry at every stop, to keep it where no agent can change it; null: it is
   * not kept.
   */
  anchor: Receiver | null;
  limits: Limits;
  patience: TurnTimeouts;
  /** Whether only a completion that is judged or better counts as one for the exit code. */
  strict: boolean;
  /** The maximum number of characters of a command's output in the next prompt. */
  outputTruncateChars: number;
  /** Characters that all the feedback together may have. */
  feedbackMaxChars: number;
}

/** A loop that belongs to no task or run, begins a new session and ends with a proven claim. */
export const OF_ITS_OWN = {
  part: null,
  run: null,
  session: null,
  ends: "claim",
  strict: false,
  anchor: null,
} as const satisfies Partial<LoopSpec>;

/** Hashes of what decides completion, taken when the loop starts: path → digest. */
export type Fingerprints = Readonly<Record<string, string>>;
