import { timer } from "../../adapters/io/timer.ts";
import { formatDuration } from "../../core/duration.ts";
import { addUsage, dollars, NO_USAGE, type Usage } from "../../core/usage.ts";

export interface BudgetLimits {
  maxCostUsd: number | null;
  maxMs: number | null;
}

/** What a whole execution may spend. */
interface Budget {
  spend(usage: Usage): void;
  readonly spent: Usage;
  close(): void;
}

/** `spentUp` is called once, with the limit that was reached in words. */
export function openBudget({ maxCostUsd, maxMs }: BudgetLimits, spentUp: (why: string) => void): Budget {
  let spent = NO_USAGE;
  let isUp = false;
  const up = (why: string) => {
    if (!isUp) spentUp(why);
    isUp = true;
  };
  const clock = maxMs === null ? null : timer(maxMs, () => up(`${formatDuration(maxMs)} are over (--max-duration)`));
  return {
    get spent() {
      return spent;
    },
    spend(usage) {
      spent = addUsage(spent, usage);
      if (maxCostUsd !== null && spent.costUsd >= maxCostUsd)
        up(`${dollars(spent.costUsd)} of ${dollars(maxCostUsd)} are spent (--max-cost)`);
    },
    close: () => clock?.stop(),
  };
}
