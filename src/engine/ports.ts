import type { TurnFault } from "../core/agent.ts";
import type { ClaimReading } from "../core/claim/claim.ts";
import type { ClaimPolicy } from "../core/claim/policy.ts";
import type { Discarded } from "../core/loop/discarded.ts";
import type {
  Baseline,
  CheckResult,
  Entry,
  LogRef,
  Review,
  Settled,
  StopRequest,
  Verdict,
} from "../core/loop/events.ts";
import type { LoopTypes } from "../core/loop/kind.ts";
import type { Effect } from "../core/loop/spec.ts";
import type { LoopState, Turn } from "../core/loop/state.ts";
import type { Receipt } from "../core/schema/receipt.ts";
import type { Usage } from "../core/usage.ts";
import type { LedgerPorts } from "./ledger.ts";

export interface TurnRequest {
  n: number;
  attempt: number;
  /** Its place in the list of agents. */
  agent: number;
  runToken: string;
  prompt: string;
  claim: ClaimPolicy;
  sessionId: string | null;
  /** What that session had cost before. */
  sessionUsage: Usage;
  timeoutMs: number;
}

/** The result of an agent's run. A fault never throws; an abort is the fault `interrupted`. */
export interface TurnResult {
  reading: ClaimReading;
  source: "stream" | "text" | "host";
  fault: TurnFault | null;
  /** What to do if the agent was not allowed any of the tools it wanted. */
  refused: string | null;
  usage: Usage;
  sessionId: string | null;
  /** The total cost of the session, if the agent reports it. */
  sessionUsage: Usage | null;
  /** What it cost is not known: the record of it is gone. */
  usageUnknown?: boolean;
  /** Digest of the tools used, empty if none; null where they are not known. */
  tools: string | null;
  model: string | null;
  /** Where its output ends in its log. */
  logTo?: number;
  /** The agent's review of another agent's work, or why it cannot be read; left out if it gave none. */
  review?: { review: Review } | { fault: string };
  /** What it changed in the copy that it was given to look at. */
  discarded?: Discarded;
}

export interface EffectRequest {
  key: string;
  effect: Effect;
  /** It was intended before, maybe by a driver that died: look whether it happened before doing it again. */
  probe: boolean;
  before: string;
  /** The agent of the turn it belongs to. */
  agent: number;
}

/** A look at the working tree. */
interface TreeSeen {
  tree: string | null;
  /** Its snapshot; null where none could be taken. */
  snapshot?: string | null;
}

/** How a stop reaches the engine: the ports end the current work early, and this says under which name. */
export interface StopSource {
  request(): StopRequest | null;
}

/** What a turn that never ended is known to have cost and used. */
interface Recovered {
  usage: Usage;
  /** The record of it is gone, or not whole. */
  unknown?: boolean;
  /** Digest of the tools used, as in a turn that ended. */
  tools?: string | null;
}

/** All that the engine asks of the world. Guardrails and verdict are null when the stop signal cut them short. */
export interface EnginePorts extends Required<LedgerPorts<LoopTypes>> {
  random(): number;
  stop: StopSource;
  /** The receipt of the proof that the last of these entries completes; they are not durable yet. Never throws. */
  makeReceipt(pending: readonly Entry[]): Promise<Receipt | null>;
  /** The marks of a new turn: the token of its processes, and where its output will be. */
  newTurn(n: number, attempt: number): { runToken: string; log: LogRef | null; nonce: string | null };
  /** The results before any work; null when the stop signal cut it short. */
  takeBaseline(): Promise<Baseline | null>;
  readPrompt(state: LoopState): Promise<string>;
  /** Null: a host has started the turn, and will report its end. */
  runTurn(request: TurnRequest): Promise<TurnResult | null>;
  /** The current state of the tree; null where it is not known, or when the stop signal cut the look short. */
  lookAtTree(): Promise<TreeSeen>;
  runGuards(n: number): Promise<readonly CheckResult[] | null>;
  judge(state: LoopState): Promise<{ verdict: Verdict | null; usage: Usage }>;
  /** What the effect is about to change, so that a resume can find out whether it happened. */
  effectBefore(effect: Effect): Promise<string>;
  /** Does it, unless it finds that it was done. */
  performEffect(request: EffectRequest): Promise<Settled & { usage: Usage }>;
  /** Ends what an earlier driver's turn left running; returns the known cost of that turn, and whether it is complete. */
  recoverTurn(turn: Pick<Turn, "runToken" | "log"> & Pick<TurnRequest, "agent" | "sessionUsage">): Promise<Recovered>;
  /** Returns early when the stop signal fires. */
  waitUntil(ms: number): Promise<void>;
}
