import { counted } from "../../../core/excerpt.ts";
import type { Forecast } from "../../../core/task/forecast.ts";
import { dollars } from "../../../core/usage.ts";

/** How often agents are started at most, on one line. */
export function iterationWords({ tasks, least, most, round, limits }: Forecast): string {
  if (tasks === 0) return "none: no task can run";
  if (most === 0) return "none, unless a merge is refused: every stage is done";
  const { maxAttempts, maxRounds } = limits;
  const how = [
    counted(tasks, "task"),
    `up to ${counted(round, "iteration")} in all stages`,
    counted(1 + maxRounds, "round"),
    counted(maxAttempts, "attempt"),
  ];
  return `${least} if every stage passes at once, at most ${most} (${how.join(" × ")})`;
}

/** What they may cost, on one line. */
export function costWords({ tasks, limitUsd, past, least, most }: Forecast): string {
  if (tasks === 0 || most === 0) return "nothing";
  const limit = limitUsd === null ? [] : [`at most ${dollars(limitUsd)} (the limit)`];
  if (past === null) {
    const known = limit.length > 0 ? limit : ["not known before the first run; --max-cost <usd> sets a limit"];
    return known.join("");
  }
  const { iterationUsd, leastUsd, mostUsd } = past;
  const average = `about ${dollars(leastUsd)} for ${least} iterations at ${dollars(iterationUsd)} each, as so far`;
  if (limitUsd !== null && limitUsd <= mostUsd) return `${average}; ${limit.join("")}`;
  return `${average}; about ${dollars(mostUsd)} for ${most}; --max-cost <usd> sets a limit`;
}
