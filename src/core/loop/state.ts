import type { Failure, Trouble } from "../agent.ts";
import type { Claim, Doubt } from "../claim/claim.ts";
import type { Memory } from "../memory/memory.ts";
import type { Refusals } from "../refusals.ts";
import type { Foreign } from "../subject.ts";
import { NO_USAGE, type Usage } from "../usage.ts";
import type { Discarded } from "./discarded.ts";
import type { CheckResult, LogRef, Proved, Review, StopReason, StopRequest, TestCounts, Verdict } from "./events.ts";
import type { EarlierChanges, LeftOut } from "./left-out.ts";
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
  /** Why the agent's review could not be used. */
  reviewFault?: string;
  /** Its changes to the copy it reviewed. */
  discarded?: Discarded;
  failed: { kind: Failure; detail: string } | null;
  refused: string | null;
  refusals?: Refusals;
  tools: string | null;
  /** Whether the tree was examined after the turn. */
  looked: boolean;
  /** The state of the tree after the turn; null if unknown. */
  tree: string | null;
  /** Whether it did something that the previous turn had not; unknown counts as work. */
  worked: boolean;
  /** Null until the guardrails have run. */
  guards: readonly CheckResult[] | null;
  effectsDone: number;
  verdict: Verdict | null;
  judged: number;
}

/** The stored part of the baseline: enough to know what the work has changed. */
export interface BaselineState {
  head: string;
  tree: string | null;
  /** The result of each check, by name. */
  was: Readonly<Record<string, CheckResult["is"]>>;
  /** Uncommitted files of the checkout, with their hashes. */
  loose?: Readonly<Record<string, string>>;
  /** How many tests each check ran, by name, if known. */
  ran?: Readonly<Record<string, number>>;
  /** The same in detail, with digests of the names. */
  counted?: Readonly<Record<string, TestCounts>>;
  /** The snapshot of the tree; null or omitted if there is none. */
  snapshot?: string | null;
  /** A later tree, in which the user has accepted what is outside the scope. */
  accepted?: string;
  /** Paths that the checks themselves created or changed. */
  made?: readonly string[];
  /** The tracked files that the checks change themselves, or their folders; omitted if unknown. */
  changed?: readonly string[];
  /** Why the loop must not start. */
  refused: { reason: StopReason; detail: string } | null;
}

/** One reason in the next prompt why the last iteration was not enough. */
export interface FeedbackItem {
  action: "APPEND" | "PREPEND" | "REPLACE";
  text: string;
  /** The log it names, and its position in the text: the path depends on the machine, the text does not. */
  log?: { path: string; at: number };
}
export type Feedback = readonly FeedbackItem[];

/** The fold of a loop's entries. Bounded for any number of iterations: a snapshot of it replaces the history. */
export interface LoopState {
  spec: LoopSpec | null;
  fingerprints: Fingerprints;
  /** The user's uncommitted files, which its commits leave alone; omitted if there are none. */
  earlier?: EarlierChanges;
  /** What the last commit left out; omitted if nothing. */
  leftOut?: LeftOut | undefined;
  limits: Limits;
  /** The results before any work; null until known. */
  baseline: BaselineState | null;
  /** Whether a turn is known to have used a tool. */
  usedTools: boolean;
  /** The state of the tree as long as no work is done for this loop; null if unknown. */
  untouched: string | null;
  /** Claims that were refused because nothing was done. */
  idleClaims: number;
  /** How many acceptance criteria were proved by the last verification; null if there are none. */
  proved: Proved | null;
  driver: Driver;
  epoch: number;
  sessionId: string | null;
  /** The total reported cost of that session. */
  sessionUsage: Usage;
  n: number;
  attempt: number;
  /** The index of the agent of the current or last turn. */
  agent: number;
  /** Until when an agent is limited, by its index in the list. */
  limited: Readonly<Record<number, number>>;
  turn: Turn | null;
  /** The log and the agent of the previous turn; null if there was none. */
  previous: (LogRef & { agent: number }) | null;
  /** Consecutive environment troubles of one kind. */
  voids: { why: Trouble; detail: string; times: number; waitedMs: number } | null;
  wait: { sinceMs: number; untilMs: number } | null;
  /** At most one effect is in flight. */
  effect: { key: string; effect: Effect; before: string } | null;
  feedback: Feedback;
  /** What the prompt of a new session says about the iterations so far; omitted if nothing is remembered. */
  memory?: Memory;
  /** Iterations in a row without new work and with the same result, before the current turn. */
  same: { signature: string; times: number };
  /** Digest of the last turn's tools and tree; null if unknown. */
  lastWork: string | null;
  failures: number;
  tampers: number;
  /** Changes of its turns to their copy, one phrase each; omitted if there are none. */
  discarded?: readonly string[];
  /** The known cost. */
  spent: Usage;
  unknownCost: UnknownCost;
  atMs: number;
  startedAtMs: number;
  activeMs: number;
  waitedMs: number;
  stopRequest: StopRequest | null;
  /** What another process did to the journal while a driver held the lease; null: nothing was found. */
  foreign: Foreign | null;
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

/** The cost of the session before the current turn: an agent that reports its session's total includes it. */
export const sessionUsageOf = ({ spec, sessionId, sessionUsage }: LoopState): Usage =>
  spec?.context === "continue" && sessionId !== null ? sessionUsage : NO_USAGE;

/** Iterations that the agent has finished: neither the current turn nor a voided one counts. */
export const iterationsDone = (s: LoopState): number => (s.voids || (s.turn && !s.turn.ended) ? s.n - 1 : s.n);

/** How a loop that is no longer driven stopped; without a stop in its journal, it was interrupted. */
export const stopOf = ({ stopped }: Pick<LoopState, "stopped">): NonNullable<LoopState["stopped"]> =>
  stopped ?? { reason: "interrupted", detail: "" };
