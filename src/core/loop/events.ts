import type { Failure, Trouble } from "../agent.ts";
import type { Claim, Doubt } from "../claim/claim.ts";
import type { Receipt } from "../schema/receipt.ts";
import type { Journalled } from "../subject.ts";
import type { Usage } from "../usage.ts";
import type { Discarded } from "./discarded.ts";
import type { Baseline, CheckResult, Review, Verdict } from "./results.ts";
import type { Driver, Effect, Fingerprints, Limits, LoopSpec } from "./spec.ts";
import type { StopReason } from "./stop-reasons.ts";

export type {
  Attribution,
  Baseline,
  CheckResult,
  Finding,
  Proved,
  Review,
  Tamper,
  TestCounts,
  Verdict,
} from "./results.ts";
export type { StopReason } from "./stop-reasons.ts";

/** Where a turn's output begins in a file beside the journal; it ends where the next turn's output begins. */
export interface LogRef {
  path: string;
  from: number;
  /** Where it ends, once that is known. */
  to?: number;
  /** Which file it was when the turn began: another one may be put in its place. */
  file?: string;
  /** `events`: written by us, one `AgentEvent` a line, and not by the agent. */
  as?: "events";
}

/** The result of an effect. */
export interface Settled {
  is: "done" | "skipped" | "failed";
  detail: string;
  /** What the tree looks like since, where the effect is a commit. */
  tree?: string | null;
}

export interface StopRequest {
  /** `budget`: what the loop is part of may spend no more. */
  as: "cancelled" | "interrupted" | "budget";
  by: string;
}

/** Facts only, each durable before its consequence. A fact about a closed turn or a settled effect changes nothing. */
export type LoopEvent =
  | { type: "loop.started"; spec: LoopSpec; fingerprints: Fingerprints }
  /**
   * `sessionId`: the session that it continues in from now on, null where the one before must not be continued;
   * `sessionUsage`: what that had cost before.
   */
  | {
      type: "loop.adopted";
      driver: Driver;
      sessionId?: string | null;
      sessionUsage?: Usage;
      limits?: Limits;
      fingerprints?: Fingerprints;
      /** The version of Ralph that drives it from now on. */
      version?: string;
    }
  /** A host has opened a fresh session, and the current turn continues in it. */
  | { type: "session.moved"; sessionId: string }
  | ({ type: "baseline.taken" } & Baseline)
  | TurnBegan
  | TurnEnded
  | TurnVoided
  /** The state of the tree after a turn; null where it is not known. */
  | { type: "tree.seen"; n: number; tree: string | null; snapshot?: string | null }
  /** `tree`: the state after the guardrails, if the tree was untouched before them; otherwise left out. */
  | { type: "guards.ended"; n: number; results: readonly CheckResult[]; tree?: string }
  | { type: "effect.intended"; key: string; effect: Effect; before: string }
  | ({ type: "effect.settled"; key: string; usage: Usage } & Settled)
  | { type: "claim.judged"; n: number; try: number; verdict: Verdict; usage: Usage }
  /** A judgement that was cut short: it decides nothing, and what it had cost by then still counts. */
  | { type: "judgement.cut"; n: number; usage: Usage }
  /** The receipt of the verdict before it, written in the same transaction: its file is a copy of this. */
  | { type: "receipt.made"; receipt: Receipt }
  /** The driver found that another process had written into its journal. `entry`: the first one concerned. */
  | { type: "journal.foreign"; entry: number; found: string }
  | ({ type: "stop.requested" } & StopRequest)
  | { type: "loop.stopped"; reason: StopReason; detail: string };

export interface TurnBegan {
  type: "turn.began";
  n: number;
  attempt: number;
  agent: number;
  runToken: string;
  log: LogRef | null;
  /** What the promise of this turn must contain in addition to its text. */
  nonce: string | null;
}

/** The agent's work is done and paid for: never run again. */
export interface TurnEnded {
  type: "turn.ended";
  n: number;
  attempt: number;
  claim: Claim | null;
  doubts: readonly Doubt[];
  blocked: string | null;
  /** The agent's review of another agent's work, if it was asked for one and gave it. */
  review?: Review;
  /** Why its review cannot be read. */
  reviewFault?: string;
  /** What it changed in its copy of that work. */
  discarded?: Discarded;
  failed: { kind: Failure; detail: string } | null;
  /** What to do if the agent was not allowed any of the tools it wanted, and claimed completion all the same. */
  refused: string | null;
  usage: Usage;
  sessionId: string | null;
  /** The total cost of the session, if the agent reports it. */
  sessionUsage: Usage | null;
  /** What it cost is not known: the record of it is gone. */
  usageUnknown?: true;
  /** Where the assistant's text was read: a structured stream, plain output, or a host's messages. */
  source: "stream" | "text" | "host";
  /** Digest of the tools it used, empty if none; null where they are not known. */
  tools: string | null;
  /** Where its output ends in its log. */
  logTo?: number;
  /** The model that answered, if the agent reports it. */
  model: string | null;
}

/** The environment took the turn away: the same number runs again, its cost still counts. */
export interface TurnVoided {
  type: "turn.voided";
  n: number;
  attempt: number;
  why: Trouble;
  detail: string;
  /** Not to be tried again before this moment. */
  retryAtMs: number | null;
  usage: Usage;
  /** What it cost is not known, or not all of it: the record of it is gone. */
  usageUnknown?: true;
  /** It used tools before it was cut short: the next attempt may find the work done. */
  usedTools?: true;
}

/** What the journal keeps. The store refuses an entry whose seq or epoch is not the expected one. */
export interface Entry extends Journalled<LoopEvent> {
  loop: string;
}
