import { test } from "vitest";

/** `npm test` runs a sample, `npm run test:full` everything. The only place that reads which of the two runs. */
const isFull = process.env.TEST_EFFORT === "full";

/** A test for `npm run test:full` only: `npm test` shows its door or stop path with another one. */
export const full = test.runIf(isFull);

/** The members of a table that run: all in full, else this many, evenly spread from the first to the last. */
export function sample<T>(all: readonly T[], count: number): readonly T[] {
  if (isFull || count >= all.length) return all;
  const step = (all.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, i) => all[Math.round(i * step)] as T);
}

/** `test` with tables of which a sample of this many runs. */
export const sampled = (count: number): Pick<typeof test, "each" | "for"> => ({
  each: ((table: readonly unknown[]) => test.each(sample(table, count))) as typeof test.each,
  for: ((table: readonly unknown[]) => test.for(sample(table, count))) as typeof test.for,
});

/** How many random inputs or schedules run: all in full, else a tenth. */
export const runs = (all: number): number => (isFull ? all : Math.ceil(all / 10));
