import type { ToCompletion } from "./stats.ts";

export type Needed = Map<number, number>;

/** How the iterations to completion are spread; null where no loop was completed. */
export function toCompletion(needed: Needed): ToCompletion | null {
  const counts = [...needed].map(([iterations, loops]) => ({ iterations, loops })).sort(byIterations);
  const all = counts.reduce((sum, { loops }) => sum + loops, 0);
  if (all === 0) return null;
  const [median, p90, max] = [0.5, 0.9, 1].map((share) => quantile(counts, Math.ceil(share * all)));
  return { counts, median: median ?? 0, p90: p90 ?? 0, max: max ?? 0 };
}

const byIterations = (a: { iterations: number }, b: { iterations: number }): number => a.iterations - b.iterations;

/** The smallest number of iterations with which so many of the loops were done. */
function quantile(counts: ToCompletion["counts"], rank: number): number {
  let seen = 0;
  for (const { iterations, loops } of counts) {
    seen += loops;
    if (seen >= rank) return iterations;
  }
  return 0;
}
