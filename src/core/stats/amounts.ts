import type { LoopState } from "../loop/state.ts";
import { totalTokens } from "../usage.ts";

/** What work took: money, tokens, and time at work and waiting. */
export interface Amounts {
  /** Zero where the agent does not say. */
  costUsd: number;
  tokens: number;
  workMs: number;
  waitMs: number;
}

export const NO_AMOUNTS: Readonly<Amounts> = { costUsd: 0, tokens: 0, workMs: 0, waitMs: 0 };

export const amountsOf = ({ spent, activeMs, waitedMs }: LoopState): Amounts => ({
  costUsd: spent.costUsd,
  tokens: totalTokens(spent),
  workMs: activeMs,
  waitMs: waitedMs,
});

/** What came on top of what was taken before. */
export const amountsSince = (now: Amounts, before: Amounts): Amounts => ({
  costUsd: Math.max(0, now.costUsd - before.costUsd),
  tokens: now.tokens - before.tokens,
  workMs: now.workMs - before.workMs,
  waitMs: now.waitMs - before.waitMs,
});

/** Adds to a sum in place: there is one sum for very many iterations. */
export function addAmounts(sum: Amounts, more: Amounts): void {
  sum.costUsd += more.costUsd;
  sum.tokens += more.tokens;
  sum.workMs += more.workMs;
  sum.waitMs += more.waitMs;
}
