import { addAmounts, NO_AMOUNTS } from "./amounts.ts";
import type { StageShare } from "./stats.ts";

export function sharesTogether(shares: Iterable<StageShare>): StageShare {
  const sum: StageShare = { loops: 0, iterations: 0, ...NO_AMOUNTS };
  for (const share of shares) {
    sum.loops += share.loops;
    sum.iterations += share.iterations;
    addAmounts(sum, share);
  }
  return sum;
}
