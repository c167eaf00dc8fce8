import { printable } from "../../../core/ansi.ts";
import { plain } from "../../../core/chart/svg.ts";
import { timeWords } from "../../../core/duration.ts";
import { counted } from "../../../core/excerpt.ts";
import { compact } from "../../../core/stats/amounts.ts";
import type { Stats } from "../../../core/stats/stats.ts";
import { completedIn, shareAccepted } from "../../../core/stats/sums.ts";
import { iterationTable, type StatsTable, stageTable, taskTable, withoutEmpty } from "../../../core/stats/tables.ts";
import { levelCounts, percent, reasonLabel, statsPlaceWords } from "../../../core/stats/words.ts";
import { dollars } from "../../../core/usage.ts";
import { paint } from "../../terminal/paint.ts";
import { table } from "../output/table.ts";
import { toned } from "./end-lines.ts";

/** Titles are untrusted: removes control characters and marks that change the direction of text. */
const shown = (text: string): string => plain(printable(text));

const MOST_ROWS = 40;
const MOST_REASONS = 10;
export type StatsBy = "task" | "stage" | "iteration";

const TABLES: Readonly<Record<StatsBy, (stats: Stats) => StatsTable>> = {
  task: taskTable,
  stage: stageTable,
  iteration: iterationTable,
};

export function statsLines(stats: Stats, by: StatsBy, width: number): string[] {
  return [
    ...totalLines(stats),
    "",
    ...tableLines(withoutEmpty(TABLES[by](stats)), by === "iteration" ? stats.iterationsLeftOut : 0, width),
    ...completionLines(stats, width),
    ...reasonLines(stats, width),
    "",
    `Stopped: ${stats.stops.map(({ reason, loops }) => toned(reason, `${reason} ${loops}`)).join(", ") || "none yet"}`,
  ];
}

function totalLines({ totals, tasks }: Stats): string[] {
  const done = tasks.filter(({ facts }) => facts?.status === "done").length;
  const head = [
    ...(tasks.length > 0 ? [`${counted(tasks.length, "task")} (${done} done)`] : []),
    `${counted(totals.loops, "loop")} (${levelCounts(totals)}${totals.finished > 0 ? `, ${totals.finished} finished` : ""}${totals.running > 0 ? `, ${totals.running} not stopped` : ""})`,
    counted(totals.iterations, "iteration"),
  ];
  const took = [
    ...(totals.costUsd > 0 ? [dollars(totals.costUsd)] : []),
    `${compact(totals.tokens)} tokens`,
    `${timeWords(totals.workMs)} of work`,
    ...(totals.waitMs > 0 ? [`${timeWords(totals.waitMs)} of waiting`] : []),
  ];
  return [paint("bold", head.join(", ")), took.join(", "), ...claimLines(totals), ...troubleLines(totals)];
}

function claimLines({ claims, firstClaims, refused }: Stats["totals"]): string[] {
  const judged = claims.accepted + claims.refused + claims.undecided;
  if (judged === 0) return [];
  const undecided = claims.undecided > 0 ? `, ${claims.undecided} could not be checked` : "";
  const first = `${percent(shareAccepted(firstClaims))} of first claims accepted`;
  const price = refused.costUsd > 0 ? dollars(refused.costUsd) : timeWords(refused.workMs);
  return [
    `${counted(judged, "claim")}: ${claims.accepted} accepted, ${claims.refused} refused${undecided}; ${first}`,
    ...(claims.refused > 0
      ? [`${counted(claims.refused, "claim")} would have counted as done without proof (${price} spent on them)`]
      : []),
  ];
}

const troubleLines = ({ timeOuts, failures, troubles }: Stats["totals"]): string[] => {
  const met = [
    ...(timeOuts > 0 ? [counted(timeOuts, "time-out")] : []),
    ...(failures > 0 ? [counted(failures, "failed iteration")] : []),
    ...(troubles > 0 ? [`${troubles} lost to environment failures and retried`] : []),
  ];
  return met.length > 0 ? [met.join(", ")] : [];
};

function tableLines({ heads, rows, numbers }: StatsTable, more: number, width: number): string[] {
  const first = rows.slice(0, MOST_ROWS).map((row) => row.map(shown));
  const left = rows.length - first.length + more;
  const cells = [[...heads], ...first];
  for (const column of numbers) {
    const wide = Math.max(...cells.map((row) => row[column]?.length ?? 0));
    for (const row of cells) row[column] = (row[column] ?? "").padStart(wide);
  }
  const rest = left > 0 ? [paint("dim", `… and ${left} more: --json has them, --task and --since narrow it down`)] : [];
  return [table(cells, null, width), ...rest];
}

function completionLines({ stages }: Stats, width: number): string[] {
  const known = stages.flatMap(({ place, toCompletion, ...sums }) =>
    toCompletion
      ? [
          [
            statsPlaceWords(place),
            String(completedIn(sums)),
            ...[toCompletion.median, toCompletion.p90, toCompletion.max].map(String),
          ],
        ]
      : [],
  );
  if (known.length === 0) return [];
  return ["", table([["ITERATIONS TO COMPLETION", "COMPLETED", "MEDIAN", "90 %", "MOST"], ...known], null, width)];
}

function reasonLines({ reasons }: Stats, width: number): string[] {
  if (reasons.length === 0) return [];
  const rows = reasons.slice(0, MOST_REASONS).map((reason) => {
    const { kind, name } = reasonLabel(reason);
    return [String(reason.times).padStart(5), kind, shown(name)];
  });
  const left = reasons.length - rows.length;
  return [
    "",
    table([["TIMES", "CLAIM REFUSED", "BY"], ...rows], null, width),
    ...(left > 0 ? [paint("dim", `… and ${left} more`)] : []),
  ];
}
