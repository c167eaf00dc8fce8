import type { TurnFault } from "../core/agent.ts";
import type { ClaimReading } from "../core/claim/claim.ts";
import type { ClaimPolicy } from "../core/claim/policy.ts";
import type { Leftovers } from "../core/leftovers.ts";
import type { Discarded } from "../core/loop/discarded.ts";
import type {
  Baseline,
  CheckResult,
  Entry,
  Review,
  Settled,
  StopRequest,
  TurnBegan,
  Verdict,
} from "../core/loop/events.ts";
import type { LoopTypes } from "../core/loop/kind.ts";
import type { EarlierChanges } from "../core/loop/left-out.ts";
import type { Effect } from "../core/loop/spec.ts";
import type { LoopState, Turn } from "../core/loop/state.ts";
import type { ChangedFiles } from "../core/memory/memory.ts";
import type { Refusals } from "../core/refusals.ts";
import type { Receipt } from "../core/schema/receipt.ts";
import type { Usage } from "../core/usage.ts";
import type { LedgerPorts } from "./ledger.ts";

export interface TurnRequest {
  n: number;
  attempt: number;
  /** Its index in the list of agents. */
  agent: number;
  runToken: string;
  prompt: string;
  /** The prompt without the memory: repeating what it says is an echo. */
  task: string;
  claim: ClaimPolicy;
  sessionId: string | null;
  /** The cost of that session so far. */
  sessionUsage: Usage;
  timeoutMs: number;
}

/** The result of an agent's run. A fault never throws; an abort is the fault `interrupted`. */
export interface TurnResult {
  reading: ClaimReading;
  source: "stream" | "text" | "host";
  fault: TurnFault | null;
  /** What to do if the agent was denied every tool it tried to use. */
  refused: string | null;
  /** The tools that it was denied, if any. */
  refusals?: Refusals;
  usage: Usage;
  sessionId: string | null;
  /** The total cost of the session, if the agent reports it. */
  sessionUsage: Usage | null;
  /** The agent's last message, if it is to be remembered. */
  lastMessage?: string;
  /** Its cost is unknown, because the record of it is lost. */
  usageUnknown?: boolean;
  /** Digest of the tools used; empty if none, null if unknown. */
  tools: string | null;
  model: string | null;
  /** Where its output ends in its log. */
  logTo?: number;
  /** Processes that it left running. */
  left?: Leftovers;
  /** The agent's review of another agent's work, or why it cannot be read; omitted if it gave none. */
  review?: { review: Review } | { fault: string };
  /** Its changes to the copy it reviewed. */
  discarded?: Discarded;
}

export interface EffectRequest {
  key: string;
  effect: Effect;
  /** It was intended before, perhaps by a driver that died: check whether it happened before doing it again. */
  probe: boolean;
  before: string;
  /** The agent of the turn it belongs to. */
  agent: number;
  /** The user's uncommitted files, which a commit leaves alone; null if there are none. */
  earlier: EarlierChanges | null;
}

/** The observed state of the working tree. */
interface TreeSeen {
  tree: string | null;
  /** Its snapshot; null if none could be taken. */
  snapshot?: string | null;
  /** How it differs from the start of the loop; omitted if unknown or not compared again. */
  changed?: ChangedFiles;
}

/** How a stop reaches the engine: the ports end the current work early, and this names the reason. */
export interface StopSource {
  request(): StopRequest | null;
}

/** The known cost and tools of a turn that never ended. */
interface Recovered {
  usage: Usage;
  /** The record of it is lost or incomplete. */
  unknown?: boolean;
  /** Digest of the tools used, as in a turn that ended. */
  tools?: string | null;
}

/** Everything the engine needs from outside. Guardrails and verdict are null when the stop signal cut them short. */
export interface EnginePorts extends Required<Omit<LedgerPorts<LoopTypes>, "onWritten">> {
  random(): number;
  stop: StopSource;
  /** The receipt for the verdict in the last of these entries, which are not durable yet. Never throws. */
  makeReceipt(pending: readonly Entry[]): Promise<Receipt | null>;
  /** What a new turn starts with: the token of its processes, the location of its output, the commits so far. */
  newTurn(n: number, attempt: number, state: LoopState): Pick<TurnBegan, "runToken" | "log" | "nonce" | "commits">;
  /** The results before any work; null when the stop signal cut it short. */
  takeBaseline(): Promise<Baseline | null>;
  /** The notes that the user wants to drop, also those already dropped. */
  notesToDrop(): ReadonlySet<number>;
  readPrompt(state: LoopState): Promise<string>;
  /** Null: a host has started the turn, and will report its end. */
  runTurn(request: TurnRequest): Promise<TurnResult | null>;
  /** The current state of the tree; null if unknown, or when the stop signal cut the look short. */
  lookAtTree(state: LoopState): Promise<TreeSeen>;
  runGuards(n: number): Promise<readonly CheckResult[] | null>;
  judge(state: LoopState): Promise<{ verdict: Verdict | null; usage: Usage }>;
  /** The state that the effect is about to change, so that a resume can find out whether it happened. */
  effectBefore(effect: Effect): Promise<string>;
  /** Performs the effect, unless it has already happened. */
  performEffect(request: EffectRequest): Promise<Settled & { usage: Usage }>;
  /** Ends leftover processes of an earlier driver's turn; returns that turn's known cost and whether it is complete. */
  recoverTurn(turn: Pick<Turn, "runToken" | "log"> & Pick<TurnRequest, "agent" | "sessionUsage">): Promise<Recovered>;
  /** Returns early when the stop signal fires. */
  waitUntil(ms: number): Promise<void>;
}
