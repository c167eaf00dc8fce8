import { timeWords } from "../duration.ts";
import type { LoopState } from "../loop/state.ts";
import { dollars, totalTokens } from "../usage.ts";

export interface Amounts {
  /** Zero if the agent does not report it. */
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

/** The increase since an earlier total. */
export const amountsSince = (now: Amounts, before: Amounts): Amounts => ({
  costUsd: Math.max(0, now.costUsd - before.costUsd),
  tokens: now.tokens - before.tokens,
  workMs: now.workMs - before.workMs,
  waitMs: now.waitMs - before.waitMs,
});

/** Adds to a sum in place, because one sum covers very many iterations. */
export function addAmounts(sum: Amounts, more: Amounts): void {
  sum.costUsd += more.costUsd;
  sum.tokens += more.tokens;
  sum.workMs += more.workMs;
  sum.waitMs += more.waitMs;
}

export interface Measure {
  is: "cost" | "tokens" | "time";
  of(amounts: Amounts): number;
  words(value: number): string;
}

/** `950`, `12.3k`, `4.5M`. */
export function compact(n: number): string {
  if (n < 1_000) return String(Math.round(n));
  const [value, unit] = n < 999_950 ? [n / 1_000, "k"] : n < 999_950_000 ? [n / 1e6, "M"] : [n / 1e9, "G"];
  return `${value.toFixed(value < 100 ? 1 : 0).replace(/\.0$/, "")}${unit}`;
}

/** Money if known, else tokens, else time. */
export function measureFor({ costUsd, tokens }: Amounts): Measure {
  if (costUsd > 0) return { is: "cost", of: (one) => one.costUsd, words: dollars };
  if (tokens > 0) return { is: "tokens", of: (one) => one.tokens, words: compact };
  return { is: "time", of: (one) => one.workMs, words: timeWords };
}
