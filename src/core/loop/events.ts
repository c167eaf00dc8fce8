import type { Failure, Trouble } from "../agent.ts";
import type { Claim, Doubt } from "../claim/claim.ts";
import { isLevel, LEVELS, type Level } from "../proof/level.ts";
import type { Receipt } from "../schema/receipt.ts";
import type { Usage } from "../usage.ts";
import type { Discarded } from "./discarded.ts";
import type { Driver, Effect, Fingerprints, Limits, LoopSpec } from "./spec.ts";

export const STOP_REASONS = [
  ...LEVELS,
  "finished",
  "iteration-limit",
  "cost-limit",
  "token-limit",
  "time-limit",
  "wait-limit",
  "stuck",
  "blocked",
  "tampered",
  "unverifiable",
  "no-work",
  "agent-failed",
  "auth",
  "agent-missing",
  "check-missing",
  "already-green",
  "faults-found",
  "budget",
  "cancelled",
  "interrupted",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** The loop has come to its end: a proven claim, or the turn of a step. */
export const isComplete = (reason: StopReason): boolean => isLevel(reason) || reason === "finished";

/** A loop that stopped like this has not failed: it goes on where it was. */
export const PAUSES: ReadonlySet<StopReason> = new Set([
  "interrupted",
  "budget",
  "auth",
  "agent-missing",
  "wait-limit",
]);

/** Where a turn's output begins in a file beside the journal; it goes on to the next turn's beginning, or to the end. */
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

/** What one command, run by the harness itself, showed. `unknown`: it could not start or did not end. */
export interface CheckResult {
  name: string;
  command: string;
  is: "pass" | "fail" | "unknown";
  code: number | null;
  reason: string;
  /** Something that its own command names is not there, so that it could not be run. */
  absent?: true;
  /** The useful part of the output, bounded. */
  excerpt: string;
  log: string | null;
  ms: number;
  /** Only a warning: the verdict does not depend on it. */
  optional?: true;
  /** The acceptance criterion that it proves. */
  criterion?: string;
  /** What has become of it since before any work. */
  since?: Attribution;
  /** Of its whole output. */
  sha256?: string;
  /** Taken over from an equal run on the same tree. */
  cached?: true;
  /** What a judge made of each criterion. */
  findings?: readonly Finding[];
  /** Said wherever it is shown, when it proves less than it looks. */
  label?: string;
  /** What its output says about tests, where a test runner was recognised. */
  tests?: TestCounts;
}

/** How many tests a command ran, from the summary in its output. `ran` does not hold the skipped ones. */
export interface TestCounts {
  ran: number;
  passed: number;
  failed: number;
  skipped: number;
}

export type Attribution = "fixed" | "regressed" | "still failing" | "already passing";

/** A judge's word on one criterion. Only `proved`, with a quote that occurs in the evidence, counts. */
export interface Finding {
  criterion: string;
  is: "proved" | "weak" | "missing" | "contradicted" | "unknown";
  quote: string;
  reason: string;
}

/** Something that decides completion and is no longer what it was. */
export interface Tamper {
  path: string;
  /** What became of it, such as `changed`, `deleted` or `2 tests skipped`. */
  change: string;
}

/** The answer to a claim. `unknown` is never a pass. */
export interface Verdict {
  is: "pass" | "fail" | "unknown";
  reason: string;
  checks: readonly CheckResult[];
  tampered?: readonly Tamper[];
  /** What a pass rests on. */
  proof?: Level;
  /** What weakens it, in words for the last line. */
  weak?: readonly string[];
  /** What has become of the number of tests, such as `14 → 17 tests`, where that is all that a pass can show. */
  grew?: string;
  /** Shown wherever the verdict is, when the proof is weaker than it looks. */
  label?: string;
  /** How many acceptance criteria are proved. */
  proved?: Proved;
  /** What rules of the proof are broken, in words. */
  broken?: readonly string[];
  /** What the checks were run on and could not see; part of the reason. */
  note?: string;
  /** What it is about: the commit and the state of the tree. */
  head?: string;
  tree?: string | null;
  /** The hash that git gives to the commit's tree; empty where there is none. */
  gitTree?: string;
  /** The snapshot of what was judged; null where there is none. */
  snapshot?: string | null;
}

/** An agent's word on work that it looked at, in the form that was asked for. */
export interface Review {
  approved: boolean;
  /** What has to be mended, each as one text that names its place where it has one. */
  findings: readonly string[];
}

/** How many of the acceptance criteria are proved. */
export interface Proved {
  proved: number;
  of: number;
  /** Their places; left out where nobody has looked yet. */
  which?: readonly number[];
}

/** How things stood before any work was done. */
export interface Baseline {
  results: readonly CheckResult[];
  /** Empty before the first commit, and without git. */
  head: string;
  tree: string | null;
  /** What the tree looks like as long as nothing was done; left out where that is `tree`. */
  start?: string;
  /** What lay in the checkout in no commit, with its hash; only where a commit has to show work. */
  loose?: Readonly<Record<string, string>>;
  /** The git tree of everything that was there, in the loop's own repository; null where it could not be taken. */
  snapshot?: string | null;
}

/** What came of an effect. */
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
   * `sessionId`: the session that it goes on in from now on, null where the one before is not to be gone on in;
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
  /** A host has opened a fresh session, and the turn at hand goes on in it. */
  | { type: "session.moved"; sessionId: string }
  | ({ type: "baseline.taken" } & Baseline)
  | TurnBegan
  | TurnEnded
  | TurnVoided
  /** The state of the tree that a turn left behind; null where nobody can tell. */
  | { type: "tree.seen"; n: number; tree: string | null; snapshot?: string | null }
  | { type: "guards.ended"; n: number; results: readonly CheckResult[] }
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

const EVENT_TYPES: Record<LoopEvent["type"], true> = {
  "loop.started": true,
  "loop.adopted": true,
  "session.moved": true,
  "baseline.taken": true,
  "turn.began": true,
  "turn.ended": true,
  "turn.voided": true,
  "tree.seen": true,
  "guards.ended": true,
  "effect.intended": true,
  "effect.settled": true,
  "claim.judged": true,
  "judgement.cut": true,
  "receipt.made": true,
  "journal.foreign": true,
  "stop.requested": true,
  "loop.stopped": true,
};

/** Whether a journal can hold an event of that type. */
export const isEventType = (type: unknown): type is LoopEvent["type"] =>
  typeof type === "string" && Object.hasOwn(EVENT_TYPES, type);

export interface TurnBegan {
  type: "turn.began";
  n: number;
  attempt: number;
  agent: number;
  runToken: string;
  log: LogRef | null;
  /** What the promise of this turn has to hold beside its text. */
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
  /** What the agent makes of somebody else's work, where it was asked and said so. */
  review?: Review;
  /** Why its word on that work cannot be read. */
  reviewFault?: string;
  /** What it changed in its copy of that work. */
  discarded?: Discarded;
  failed: { kind: Failure; detail: string } | null;
  /** What to do about it, where the agent was allowed none of the tools it wanted, and claimed all the same. */
  refused: string | null;
  usage: Usage;
  sessionId: string | null;
  /** What the session had cost in all, where the agent reports it so. */
  sessionUsage: Usage | null;
  /** What it cost is not known: the record of it is gone. */
  usageUnknown?: true;
  /** Where the assistant's text was read: a structured stream, plain output, or a host's messages. */
  source: "stream" | "text" | "host";
  /** Digest of the tools it used, empty where none; null where nobody can tell. */
  tools: string | null;
  /** Where its output ends in its log. */
  logTo?: number;
  /** The model that answered, where the agent tells it. */
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
}

/** What the journal keeps. The store refuses an entry whose seq or epoch is not the expected one. */
export interface Entry {
  loop: string;
  seq: number;
  /** Counts the drivers: every adoption raises it, which fences off the one before. */
  epoch: number;
  atMs: number;
  event: LoopEvent;
}
