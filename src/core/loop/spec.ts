import type { ClaimPolicy } from "../claim/policy.ts";

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
  stuckAfter: null,
  maxFailures: 3,
  maxTampers: 3,
};

/** How long one turn may take, and how gently it is ended. */
export interface Patience {
  iterationTimeoutMs: number;
  idleTimeoutMs: number;
  /** Between SIGINT and SIGTERM, and again between SIGTERM and SIGKILL. */
  graceMs: number;
}

export const DEFAULT_PATIENCE: Patience = {
  iterationTimeoutMs: 60 * 60_000,
  idleTimeoutMs: 20 * 60_000,
  graceMs: 5_000,
};

export interface AgentSpec {
  /** A known agent's name, or any command. */
  command: string;
  flags: readonly string[];
}

/** A command that must exit 0 before a claim counts. */
export interface Check {
  name: string;
  command: string;
  timeoutMs: number;
}

export const FAIL_ACTIONS = ["APPEND", "PREPEND", "REPLACE"] as const;
/** Where a failing guardrail's output goes in the next prompt. */
export type FailAction = (typeof FAIL_ACTIONS)[number];

/** A command run after every iteration; its failure feeds the next prompt and vetoes completion. */
export interface Guardrail extends Check {
  failAction: FailAction;
}

/** Something done to the world outside the loop. `when` says whether it precedes or follows the verdict. */
export interface Effect {
  kind: "commit" | "push";
  when: "guarded" | "judged";
}

/** A loop, resolved: everything a driver needs, so that a resume never reads settings again. */
export interface LoopSpec {
  door: Door;
  title: string;
  cwd: string;
  prompt: { text: string } | { file: string };
  agent: AgentSpec;
  /** Whether an iteration goes on in the session of the one before. */
  context: "fresh" | "continue";
  claim: ClaimPolicy;
  /** Append the completion requirement to a prompt that does not name the tag. */
  completionInstructions: boolean;
  guardrails: readonly Guardrail[];
  checks: readonly Check[];
  effects: readonly Effect[];
  limits: Limits;
  patience: Patience;
  /** Characters of a command's output that the next prompt may carry. */
  outputTruncateChars: number;
}

/** Hashes of what decides completion, taken when the loop starts: path → digest. */
export type Fingerprints = Readonly<Record<string, string>>;
