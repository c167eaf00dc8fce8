import { formatDuration } from "../duration.ts";
import { counted } from "../excerpt.ts";
import { LEVELS } from "../proof/level.ts";
import { dollars } from "../usage.ts";
import { type ChangeSize, isWeak, itemsOf, type Report, type ReportItem, STANDINGS, type Standing } from "./report.ts";
import { spanWords } from "./since.ts";

const COUNTED: Readonly<Record<Standing, string>> = {
  done: "done",
  blocked: "blocked or not completed",
  waiting: "waiting for you",
  running: "running",
};

/** `3 done, 1 waiting for you`; `nothing` if there are no items. */
export function countWords(report: Report): string {
  const words = STANDINGS.flatMap((standing) => {
    const n = itemsOf(report, standing).length;
    return n > 0 ? [`${n} ${COUNTED[standing]}`] : [];
  });
  return words.length > 0 ? words.join(", ") : "nothing happened";
}

/** From when to when, in UTC-independent words; `clock` writes a moment as the reader wants it. */
export function timeSpan({ fromMs, toMs, since, execution }: Report, clock: (ms: number) => string): string {
  const from = since === "execution" ? `the start of execution ${execution ?? ""}, ` : "";
  return `since ${from}${clock(fromMs)} (${spanWords(toMs - fromMs)})`;
}

/** `$12.40, 1234 tokens in 31 loops with 80 iterations`. */
export function totalWords({ totals }: Report): string {
  const { loops, iterations, costUsd, tokens } = totals;
  const spent = [...(costUsd > 0 ? [dollars(costUsd)] : []), ...(tokens > 0 ? [`${tokens} tokens`] : [])];
  const work = `${counted(loops, "loop")}, ${counted(iterations, "iteration")}`;
  return spent.length > 0 ? `${spent.join(", ")}, ${work}` : work;
}

export const changeWords = ({ files, added, removed }: ChangeSize): string =>
  `${counted(files, "file")} +${added} -${removed}`;

/** How it ended with its proof level: `merged, still-green`. */
export const outcomeWords = ({ outcome, proof }: ReportItem): string =>
  proof !== null && proof !== outcome ? `${outcome}, ${proof}` : outcome;

/** What it took, and what it changed. */
export const factWords = ({ beganAtMs, updatedAtMs, iterations, costUsd, tokens, changes }: ReportItem): string[] => [
  formatDuration(Math.max(0, updatedAtMs - beganAtMs)),
  ...(iterations > 0 ? [counted(iterations, "iteration")] : []),
  ...(costUsd > 0 ? [dollars(costUsd)] : tokens > 0 ? [`${tokens} tokens`] : []),
  ...(changes ? [changeWords(changes)] : []),
];

/** `2 of 5 are weak: 1 still-green, 1 for the reason shown below`; empty if none is. */
export function weakSummary(report: Report): string {
  const done = itemsOf(report, "done");
  const weak = done.filter(isWeak);
  if (weak.length === 0) return "";
  const levels = LEVELS.filter((level) => level !== "verified").flatMap((level) => {
    const n = weak.filter(({ proof }) => proof === level).length;
    return n > 0 ? [`${n} ${level}`] : [];
  });
  const weakened = weak.filter((item) => item.weak.length > 0).length;
  const words = [
    ...levels,
    ...(weakened > 0 ? [`${weakened} for ${weakened === 1 ? "the reason" : "reasons"} shown below`] : []),
  ];
  return `${weak.length} of ${done.length} done: ${words.join(", ")}`;
}

/** What is still open from before, and what was not started. */
export function restWords({ earlier, todo, leftOut }: Report): string[] {
  const { blocked, proposed } = earlier;
  return [
    ...(leftOut > 0 ? [`${leftOut} more are not listed: ralph list, ralph task list`] : []),
    ...(blocked > 0 ? [`${counted(blocked, "task")} blocked before that time: ralph task list --status blocked`] : []),
    ...(proposed > 0
      ? [`${counted(proposed, "task")} proposed before that time: ralph task list --status proposed`]
      : []),
    ...(todo > 0 ? [`${counted(todo, "task")} not started: ralph execute`] : []),
  ];
}
