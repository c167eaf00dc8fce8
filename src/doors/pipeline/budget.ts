import { timer } from "../../adapters/io/timer.ts";
import { formatDuration } from "../../core/duration.ts";
import type { LoopStore } from "../../core/loop/store.ts";
import { addUsage, dollars, NO_USAGE, type Usage } from "../../core/usage.ts";

export interface BudgetLimits {
  maxCostUsd: number | null;
  maxMs: number | null;
}

/** The budget of an execution. Costs of other executions in the repository since it started count too. */
export interface Budget {
  spend(usage: Usage): void;
  /** Counts a turn whose cost is not journalled. */
  estimate(usage: Usage): void;
  /** Reads the costs of other executions from the journal. */
  look(): Promise<void>;
  readonly spent: Usage;
  close(): void;
}

interface BudgetRequest {
  limits: BudgetLimits;
  store: Pick<LoopStore, "summaries">;
  /** Called once, with a description of the limit that was reached. */
  spentUp(why: string): void;
}

export async function openBudget({ limits, store, spentUp }: BudgetRequest): Promise<Budget> {
  const { maxCostUsd, maxMs } = limits;
  let [known, estimated] = [NO_USAGE, NO_USAGE];
  let isUp = false;
  const up = (why: string) => {
    if (!isUp) spentUp(why);
    isUp = true;
  };
  const clock = maxMs === null ? null : timer(maxMs, () => up(`${formatDuration(maxMs)} have passed (--max-duration)`));
  const before = maxCostUsd === null ? 0 : await journalledCost(store);
  /** The cost of all executions since this one started, as last read from the journal. */
  let together = 0;
  const check = () => {
    const costUsd = Math.max(known.costUsd, together) + estimated.costUsd;
    if (maxCostUsd !== null && costUsd >= maxCostUsd)
      up(`${dollars(costUsd)} of ${dollars(maxCostUsd)} spent (--max-cost)`);
  };
  return {
    get spent() {
      return addUsage(known, estimated);
    },
    spend(usage) {
      known = addUsage(known, usage);
      check();
    },
    estimate(usage) {
      estimated = addUsage(estimated, usage);
      check();
    },
    async look() {
      if (maxCostUsd === null || isUp) return;
      together = (await journalledCost(store)) - before;
      check();
    },
    close: () => clock?.stop(),
  };
}

async function journalledCost(store: Pick<LoopStore, "summaries">): Promise<number> {
  const loops = await store.summaries();
  return loops.reduce((sum, { part, costUsd }) => sum + (part === null ? 0 : costUsd), 0);
}
