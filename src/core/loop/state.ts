import type { Failure, Trouble } from "../agent.ts";
import type { Claim, Doubt } from "../claim/claim.ts";
import { NO_USAGE, type Usage } from "../usage.ts";
import type { Discarded } from "./discarded.ts";
import type { CheckResult, LogRef, Proved, Review, StopReason, StopRequest, Verdict } from "./events.ts";
import { DEFAULT_LIMITS, type Driver, type Effect, type Fingerprints, type Limits, type LoopSpec } from "./spec.ts";
import type { UnknownCost } from "./unknown-cost.ts";

/** The current turn, or the last one that ended. */
export interface Turn {
  epoch: number;
  runToken: string;
  log: LogRef | null;
  nonce: string | null;
  ended: boolean;
  claim: Claim | null;
  doubts: readonly Doubt[];
  blocked: string | null;
  review: Review | null;
  /** Why there is no review, though the agent gave one. */
  reviewFault?: string;
  /** What it changed in the copy that it looked at. */
  discarded?: Discarded;
  failed: { kind: Failure; detail: string } | null;
  refused: string | null;
  tools: string | null;
  /** Whether the tree that it left behind was looked at. */
  looked: boolean;
  /** The state of the tree then; null where it is not known. */
  tree: string | null;
  /** Whether it did something that the turn before had not; unknown counts as work. */
  worked: boolean;
  /** Null until the guardrails have run. */
  guards: readonly CheckResult[] | null;
  effectsDone: number;
  verdict: Verdict | null;
  judged: number;
}

/** What is kept of the baseline: enough to know what the work has changed. */
export interface BaselineState {
  head: string;
  tree: string | null;
  /** The answer of each check by its name. */
  was: Readonly<Record<string, CheckResult["is"]>>;
  /** What lay in the checkout in no commit, with its hash. */
  loose?: Readonly<Record<string, string>>;
  /** How many tests each check ran, by its name, where that is known. */
  ran?: Readonly<Record<string, number>>;
  /** The snapshot of what was there; null or left out if there is no snapshot. */
  snapshot?: string | null;
  /** Why the loop must not begin. */
  refused: { reason: StopReason; detail: string } | null;
}

/** One thing the next prompt says about why the last iteration was not enough. */
export interface FeedbackItem {
  action: "APPEND" | "PREPEND" | "REPLACE";
  text: string;
  /** The log that it names, and where in the text: its path differs from machine to machine, and the text does not. */
  log?: { path: string; at: number };
}
export type Feedback = readonly FeedbackItem[];

/** The fold of a loop's entries. Bounded for any number of iterations: a snapshot of it replaces the history. */
export interface LoopState {
  spec: LoopSpec | null;
  fingerprints: Fingerprints;
  limits: Limits;
  /** The results before any work; null until they are known. */
  baseline: BaselineState | null;
  /** Whether a turn is known to have used a tool. */
  usedTools: boolean;
  /** The state of the tree as long as no work was done for this loop; null where it is not known. */
  untouched: string | null;
  /** Claims that were refused because nothing was done. */
  idleClaims: number;
  /** How many acceptance criteria were proved when it was last looked; null where there are none. */
  proved: Proved | null;
  driver: Driver;
  epoch: number;
  sessionId: string | null;
  /** The total cost of that session, as far as it was reported. */
  sessionUsage: Usage;
  n: number;
  attempt: number;
  /** Which of the agents had, or has, the current turn. */
  agent: number;
  /** Until when an agent is limited, by its place in the list. */
  limited: Readonly<Record<number, number>>;
  turn: Turn | null;
  /** Where the turn before it printed, and whose turn it was; null where there was none. */
  previous: (LogRef & { agent: number }) | null;
  /** Environment troubles in a row, of one kind. */
  voids: { why: Trouble; detail: string; times: number; waitedMs: number } | null;
  wait: { sinceMs: number; untilMs: number } | null;
  /** At most one effect is in flight. */
  effect: { key: string; effect: Effect; before: string } | null;
  feedback: Feedback;
  /** Iterations in a row without new work and with the same result, before the current turn. */
  same: { signature: string; times: number };
  /** Digest of the last turn's tools and tree; null where they are not known. */
  lastWork: string | null;
  failures: number;
  tampers: number;
  /** What its turns changed in their copy, by name; left out where there was nothing. */
  discarded?: readonly string[];
  /** As far as it is known. */
  spent: Usage;
  unknownCost: UnknownCost;
  atMs: number;
  startedAtMs: number;
  activeMs: number;
  waitedMs: number;
  stopRequest: StopRequest | null;
  /** What another process did to the journal while a driver had the lease; null: nothing that was seen. */
  foreign: { entry: number; found: string } | null;
  stopped: { reason: StopReason; detail: string } | null;
}

export const START: LoopState = {
  spec: null,
  fingerprints: {},
  limits: DEFAULT_LIMITS,
  baseline: null,
  usedTools: false,
  untouched: null,
  idleClaims: 0,
  proved: null,
  driver: "engine",
  epoch: 0,
  sessionId: null,
  sessionUsage: NO_USAGE,
  n: 0,
  attempt: 0,
  agent: 0,
  limited: {},
  turn: null,
  previous: null,
  voids: null,
  wait: null,
  effect: null,
  feedback: [],
  same: { signature: "", times: 0 },
  lastWork: null,
  failures: 0,
  tampers: 0,
  spent: NO_USAGE,
  unknownCost: { turns: 0, unpriced: 0, inSession: 0, accepted: 0, most: NO_USAGE },
  atMs: 0,
  startedAtMs: 0,
  activeMs: 0,
  waitedMs: 0,
  stopRequest: null,
  foreign: null,
  stopped: null,
};

/** Iterations that the agent has finished: neither the current turn nor a voided one counts. */
export const iterationsDone = (s: LoopState): number => (s.voids || (s.turn && !s.turn.ended) ? s.n - 1 : s.n);
