import type { TurnFault } from "../../../src/core/agent.ts";
import type { CheckResult, Entry, StopReason, Verdict } from "../../../src/core/loop/events.ts";
import { DEFAULT_LIMITS, type Ending, type Limits, type LoopSpec } from "../../../src/core/loop/spec.ts";
import { type LoopState, START } from "../../../src/core/loop/state.ts";
import type { Proof } from "../../../src/core/proof/proof.ts";
import { NO_USAGE, type Usage } from "../../../src/core/usage.ts";
import { gitEffect, provedBy, someGuardrail, someSpec } from "../spec.ts";

/** The behaviour of the world in one scenario, a function of the iteration (and of the clock, if an outage passes). */
export interface Script {
  name: string;
  reason: StopReason;
  limits?: Partial<Limits>;
  /** A crash or a resume may change the number of turns: costs add up, and a resume starts counting at zero. */
  varies?: boolean;
  /** What completes it; by default a true claim. */
  ends?: Ending;
  /** The session that exists before it starts. */
  session?: string;
  claims(n: number): boolean;
  blocks?(n: number): boolean;
  /** Finds faults in another stage's work: then the loop is a reviewer's. */
  finds?(n: number): boolean;
  fault?(n: number, nowMs: number): TurnFault | null;
  /** A digest of the turn's work; by default new work every turn. */
  work?(n: number): string;
  /** The check's result before any work. */
  baseline?: CheckResult["is"];
  proof?: Partial<Proof>;
  /** Digest of the tools that a turn uses. */
  tools?(n: number): string;
  guardPasses?(n: number): boolean;
  verdict?(n: number, judgement: number): Pick<Verdict, "is" | "tampered">;
}

/** One run of the simulated agent. */
export interface AgentRun {
  n: number;
  attempt: number;
  prompt: string;
  sessionId: string | null;
}

/** Everything outside the driver: it continues when a driver is killed. */
export interface World {
  script: Script;
  spec: LoopSpec;
  nowMs: number;
  /** Boundaries passed by all drivers together. */
  steps: number;
  stopAtStep: number;
  journal: Entry[];
  /** The fold of the journal. */
  state: LoopState;
  epoch: number;
  /** Run tokens of agents that are alive. */
  alive: Set<string>;
  runs: AgentRun[];
  /** The cost of each run so far, by its log. */
  paid: Map<string, Usage>;
  effects: string[];
}

export const TURN_USAGE: Usage = { inputTokens: 10, cachedTokens: 0, outputTokens: 5, costUsd: 1 };
export const TURN_MS = 1_000;

export const newWorld = (script: Script, stopAtStep = Number.POSITIVE_INFINITY): World => ({
  script,
  spec: specOf(script),
  nowMs: 1_000_000,
  steps: 0,
  stopAtStep,
  journal: [],
  state: START,
  epoch: 0,
  alive: new Set(),
  runs: [],
  paid: new Map(),
  effects: [],
});

const REVIEWER = { task: "T", place: "reviewer", execution: "e", description: "", method: "" } as const;

const specOf = ({ limits, proof, finds, ends = "claim", session }: Script): LoopSpec =>
  someSpec({
    ends,
    session: session === undefined ? null : { id: session, usage: NO_USAGE },
    part: finds ? REVIEWER : null,
    tracked: true,
    context: "continue",
    guardrails: [someGuardrail()],
    proof: provedBy(["check"], proof),
    effects: [gitEffect("commit", "guarded"), gitEffect("push", "judged")],
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
