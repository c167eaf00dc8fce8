import type { LoopEvent, TurnEnded, Verdict } from "../../src/core/loop/events.ts";
import { NO_USAGE, type Usage } from "../../src/core/usage.ts";

export const turnBegan = (n: number, attempt = 1): LoopEvent => ({
  type: "turn.began",
  n,
  attempt,
  agent: 0,
  runToken: "x",
  log: null,
  nonce: null,
});

/** A turn that cost half a dollar and claimed to be done. */
export const turnEnded = (n: number, turn: Partial<TurnEnded> = {}): LoopEvent => ({
  type: "turn.ended",
  n,
  attempt: 1,
  claim: { text: "DONE", tag: "promise", quote: "<promise>DONE</promise>", start: 0, end: 23 },
  doubts: [],
  blocked: null,
  failed: null,
  refused: null,
  usage: { ...NO_USAGE, inputTokens: 90, outputTokens: 10, costUsd: 0.5 },
  sessionId: null,
  sessionUsage: null,
  source: "stream",
  tools: "x",
  model: null,
  ...turn,
});

export const claimJudged = (n: number, verdict: Partial<Verdict>, usage: Usage = NO_USAGE): LoopEvent => ({
  type: "claim.judged",
  n,
  try: 1,
  verdict: { is: "fail", reason: "", checks: [], ...verdict },
  usage,
});
