import { timeWords } from "../duration.ts";
import { dollars } from "../usage.ts";
import type { Amounts } from "./amounts.ts";

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

/** Money where it is known, else tokens, else time. */
export function measureFor({ costUsd, tokens }: Amounts): Measure {
  if (costUsd > 0) return { is: "cost", of: (one) => one.costUsd, words: dollars };
  if (tokens > 0) return { is: "tokens", of: (one) => one.tokens, words: compact };
  return { is: "time", of: (one) => one.workMs, words: timeWords };
}
