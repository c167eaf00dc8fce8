/** The cost of an agent's work. Zero if the agent does not report it. */
export interface Usage {
  /** Including tokens read from a cache. */
  inputTokens: number;
  /** Of the input tokens, those read from a cache. */
  cachedTokens: number;
  outputTokens: number;
  costUsd: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 };

const combine = (a: Usage, b: Usage, how: (a: number, b: number) => number): Usage => ({
  inputTokens: how(a.inputTokens, b.inputTokens),
  cachedTokens: how(a.cachedTokens, b.cachedTokens),
  outputTokens: how(a.outputTokens, b.outputTokens),
  costUsd: how(a.costUsd, b.costUsd),
});

/** The higher of each figure. */
export const mostUsage = (a: Usage, b: Usage): Usage => combine(a, b, Math.max);

export const addUsage = (a: Usage, b: Usage): Usage => combine(a, b, (x, y) => x + y);

/** The increase since an earlier total of the same session; a total that has shrunk was reset. */
export function usageSince(total: Usage, before: Usage): Usage {
  const shrunk = total.inputTokens < before.inputTokens || total.outputTokens < before.outputTokens;
  return shrunk ? total : combine(total, before, (x, y) => Math.max(0, x - y));
}

/** Whether nothing at all was used. */
export const isFree = (usage: Usage): boolean => totalTokens(usage) === 0 && usage.costUsd === 0;

export const totalTokens = (usage: Usage): number => usage.inputTokens + usage.outputTokens;

/** Rounded to cents, unless the amount is less than a cent. */
export const dollars = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;

/** Dollars per million tokens, for an agent that reports no cost. */
export interface Price {
  input: number;
  output: number;
  /** For input read from a cache; the input price if omitted. */
  cachedInput?: number;
}

/** The usage with a cost; a reported cost is kept. */
export function priced(usage: Usage, price: Price | null): Usage {
  if (!price || usage.costUsd > 0) return usage;
  const { input, output, cachedInput = input } = price;
  const fresh = usage.inputTokens - usage.cachedTokens;
  const dollars = fresh * input + usage.cachedTokens * cachedInput + usage.outputTokens * output;
  return { ...usage, costUsd: dollars / 1_000_000 };
}
