import type { TurnFault } from "../core/agent.ts";
import type { ClaimReading } from "../core/claim/claim.ts";
import type { CheckResult, LogRef, StopRequest, Verdict } from "../core/loop/events.ts";
import type { Effect } from "../core/loop/spec.ts";
import type { LoopState, Turn } from "../core/loop/state.ts";
import type { LoopStore } from "../core/store.ts";
import type { Usage } from "../core/usage.ts";

export interface TurnRequest {
  n: number;
  attempt: number;
  runToken: string;
  prompt: string;
  sessionId: string | null;
  timeoutMs: number;
}

/** What came of an agent's run. A fault never throws; an abort is the fault `interrupted`. */
export interface TurnResult {
  reading: ClaimReading;
  source: "stream" | "text" | "host";
  fault: TurnFault | null;
  usage: Usage;
  sessionId: string | null;
  work: string | null;
}

export interface Settled {
  is: "done" | "skipped" | "failed";
  detail: string;
}

/** How a stop reaches the engine: `signal` ends the work at hand, `request` says under which name. */
export interface StopSource {
  signal: AbortSignal;
  request(): StopRequest | null;
}

/** All that the engine asks of the world. Guardrails and verdict are null when the stop signal cut them short. */
export interface EnginePorts {
  now(): number;
  random(): number;
  stop: StopSource;
  store: Pick<LoopStore, "append">;
  /** The marks of a new turn: the token of its processes, and where its output will be. */
  newTurn(n: number, attempt: number): { runToken: string; log: LogRef | null };
  readPrompt(): Promise<string>;
  runTurn(request: TurnRequest): Promise<TurnResult>;
  runGuards(n: number): Promise<readonly CheckResult[] | null>;
  judge(state: LoopState): Promise<{ verdict: Verdict; usage: Usage } | null>;
  /** What the effect is about to change, so that a resume can tell whether it happened. */
  effectBefore(effect: Effect): Promise<string>;
  performEffect(key: string, effect: Effect, intended: { before: string; probe: boolean }): Promise<Settled>;
  /** Ends whatever an earlier driver's turn left running; returns what that turn is known to have cost. */
  recoverTurn(turn: Pick<Turn, "runToken" | "log">): Promise<Usage>;
  /** Returns early when the stop signal fires. */
  waitUntil(ms: number): Promise<void>;
}
