import { timeWords } from "../duration.ts";
import { dollars } from "../usage.ts";
import { compact } from "./amounts.ts";
import type { Stats } from "./stats.ts";
import { shareAccepted } from "./sums.ts";
import { percent } from "./words.ts";

/** The numbers that sum up everything. */
export function tiles({ totals, tasks }: Stats) {
  const done = tasks.filter(({ facts }) => facts?.status === "done").length;
  const spent = totals.costUsd > 0 ? dollars(totals.costUsd) : compact(totals.tokens);
  return [
    tasks.length > 0
      ? { value: `${done} / ${tasks.length}`, name: "tasks done" }
      : { value: String(totals.iterations), name: "iterations" },
    { value: `${totals.verified} / ${totals.loops - totals.finished}`, name: "loops verified" },
    { value: percent(shareAccepted(totals.firstClaims)), name: "accepted at once" },
    { value: String(totals.claims.refused), name: "claims refused" },
    { value: spent, name: totals.costUsd > 0 ? "spent" : "tokens" },
    { value: timeWords(totals.workMs), name: "of work" },
  ];
}
