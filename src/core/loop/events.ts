import type { Failure, Trouble } from "../agent.ts";
import type { AgentSpec } from "../agent-spec.ts";
import type { Claim, Doubt } from "../claim/claim.ts";
import type { Leftovers } from "../leftovers.ts";
import type { ChangedFiles, NewCommits } from "../memory/memory.ts";
import type { Refusals } from "../refusals.ts";
import type { Receipt } from "../schema/receipt.ts";
import type { Journalled } from "../subject.ts";
import type { Usage } from "../usage.ts";
import type { Discarded } from "./discarded.ts";
import type { EarlierChanges, LeftOut } from "./left-out.ts";
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

/** Where a turn's output starts in a file beside the journal; it ends where the next turn's output starts. */
export interface LogRef {
  path: string;
  from: number;
  /** Where it ends, once that is known. */
  to?: number;
  /** The identity of the file when the turn started: another file may replace it. */
  file?: string;
  /** `events`: written by Ralph, one `AgentEvent` per line, not by the agent. */
  as?: "events";
}

/** The result of an effect. */
export interface Settled {
  is: "done" | "skipped" | "failed";
  detail: string;
  /** The first line of a commit's message. */
  subject?: string;
  /** The state of the tree after a commit. */
  tree?: string | null;
  /** What a commit did not include. */
  leftOut?: LeftOut;
}

/** A request to stop a loop, a task or a run. */
export interface StopRequest {
  /** `interrupted`: the user did not cancel it. `budget`: the execution's budget is used up. */
  as: "cancelled" | "interrupted" | "budget";
  by: string;
}

/** Facts, each durable before its consequence. Events of a closed turn or a settled effect change nothing. */
export type LoopEvent =
  /** `earlier`: the user's uncommitted files, if the loop commits and has to leave them alone. */
  | { type: "loop.started"; spec: LoopSpec; fingerprints: Fingerprints; earlier?: EarlierChanges }
  /**
   * `sessionId`: the session that it continues in from now on, null if the previous one must not be continued;
   * `sessionUsage`: the cost of that session so far.
   */
  | {
      type: "loop.adopted";
      driver: Driver;
      sessionId?: string | null;
      sessionUsage?: Usage;
      limits?: Limits;
      /** Its agents from now on, with the flags that the user added. */
      agents?: readonly AgentSpec[];
      fingerprints?: Fingerprints;
      /** The tree in which the user accepts what is outside the scope. */
      accepted?: string;
      /** The `CORE_VERSION` that drives it from now on. */
      version?: string;
    }
  /** A host has opened a new session, and the current turn continues in it. */
  | { type: "session.moved"; sessionId: string }
  | ({ type: "baseline.taken" } & Baseline)
  | TurnBegan
  | TurnEnded
  | TurnVoided
  /** The state of the tree after a turn; null if unknown. `changed`: the difference to the start, for the memory. */
  | { type: "tree.seen"; n: number; tree: string | null; snapshot?: string | null; changed?: ChangedFiles }
  /** `tree`: the state after the guardrails, if the tree was untouched before them; otherwise omitted. */
  | { type: "guards.ended"; n: number; results: readonly CheckResult[]; tree?: string }
  | { type: "effect.intended"; key: string; effect: Effect; before: string }
  | ({ type: "effect.settled"; key: string; usage: Usage } & Settled)
  | { type: "claim.judged"; n: number; try: number; verdict: Verdict; usage: Usage }
  /** A judgement that was cut short: it decides nothing, but its cost counts. */
  | { type: "judgement.cut"; n: number; usage: Usage }
  /** The receipt of the preceding verdict, written in the same transaction. The receipt file is a copy of it. */
  | { type: "receipt.made"; receipt: Receipt }
  /** The driver found that another process wrote into its journal. `entry`: the first affected entry. */
  | { type: "journal.foreign"; entry: number; found: string }
  /** Notes that the user has dropped from the memory. */
  | { type: "notes.dropped"; notes: readonly number[]; by: string }
  | ({ type: "stop.requested" } & StopRequest)
  | { type: "loop.stopped"; reason: StopReason; detail: string };

export interface TurnBegan {
  type: "turn.began";
  n: number;
  attempt: number;
  agent: number;
  runToken: string;
  log: LogRef | null;
  /** The token that the promise of this turn must contain in addition to its text. */
  nonce: string | null;
  /** The commits since the loop began, for the memory. */
  commits?: NewCommits;
}

/** The agent's turn is finished and paid for: it never runs again. */
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
  /** Its changes to its copy of that work. */
  discarded?: Discarded;
  failed: { kind: Failure; detail: string } | null;
  /** What to do if the agent was denied every tool it tried to use and still claimed completion. */
  refused: string | null;
  /** The tools that it was denied, and the flags that would have allowed them; omitted if none. */
  refusals?: Refusals;
  usage: Usage;
  sessionId: string | null;
  /** The total cost of the session, if the agent reports it. */
  sessionUsage: Usage | null;
  /** Its cost is unknown, because the record of it is lost. */
  usageUnknown?: true;
  /** Where the assistant's text was read: a structured stream, plain output, or a host's messages. */
  source: "stream" | "text" | "host";
  /** Digest of the tools it used; empty if none, null if unknown. */
  tools: string | null;
  /** Where its output ends in its log. */
  logTo?: number;
  /** Its last message, shortened and without secrets, for the memory. */
  said?: string;
  /** The notes it left, for the memory. */
  notes?: readonly string[];
  /** Processes that it left running. */
  left?: Leftovers;
  /** The model that answered, if the agent reports it. */
  model: string | null;
}

/** The environment ended the turn: the same iteration runs again, but its cost counts. */
export interface TurnVoided {
  type: "turn.voided";
  n: number;
  attempt: number;
  why: Trouble;
  detail: string;
  /** No retry before this time. */
  retryAtMs: number | null;
  usage: Usage;
  /** Its cost is unknown or incomplete, because the record of it is lost. */
  usageUnknown?: true;
  /** It used tools before it was cut short: the next attempt may find the work done. */
  usedTools?: true;
}

/** An entry of the journal. The store refuses an entry with an unexpected seq or epoch. */
export interface Entry extends Journalled<LoopEvent> {
  loop: string;
}
