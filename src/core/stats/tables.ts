import { timeWords } from "../duration.ts";
import { LEVELS } from "../proof/level.ts";
import { dollars } from "../usage.ts";
import { type Amounts, compact } from "./amounts.ts";
import {
  type IterationStats,
  type OwnLoop,
  type StageStats,
  type Stats,
  sharesTogether,
  type TaskStats,
} from "./stats.ts";
import { completedIn, shareAccepted } from "./sums.ts";
import { percent, reasonLabel, statsPlaceWords } from "./words.ts";

export interface StatsTable {
  title: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  numbers: readonly number[];
}

const AMOUNTS = ["COST", "TOKENS", "WORK", "WAITED"];
const amountCells = ({ costUsd, tokens, workMs, waitMs }: Amounts): string[] => [
  costUsd > 0 ? dollars(costUsd) : "",
  compact(tokens),
  timeWords(workMs),
  waitMs > 0 ? timeWords(waitMs) : "",
];

export function taskTable({ tasks, own }: Stats): StatsTable {
  if (tasks.length === 0 && own.length > 0) return ownTable(own);
  const rest = sharesTogether(own);
  const ownRow = ["own loops", "", "", "", String(rest.iterations), ...amountCells(rest), `(${own.length})`];
  return {
    title: "By task",
    heads: ["TASK", "STATUS", "TRY", "BACK", "ITER", ...AMOUNTS, "TITLE"],
    rows: [...tasks.map(taskRow), ...(own.length > 0 ? [ownRow] : [])],
    numbers: [2, 3, 4, 5, 6, 7, 8],
  };
}

const taskRow = ({ task, facts, ...sums }: TaskStats): string[] => [
  task,
  facts?.status ?? "removed",
  facts ? String(facts.attempt) : "",
  facts ? String(facts.sentBack) : "",
  String(sums.iterations),
  ...amountCells(sums),
  facts?.title ?? "",
];

const ownTable = (own: readonly OwnLoop[]): StatsTable => ({
  title: "By loop",
  heads: ["LOOP", "STOPPED", "ITER", ...AMOUNTS, "TITLE"],
  rows: own.map((loop) => [
    loop.loop,
    loop.reason ?? "running",
    String(loop.iterations),
    ...amountCells(loop),
    loop.title,
  ]),
  numbers: [2, 3, 4, 5, 6],
});

export const stageTable = ({ stages }: Stats): StatsTable => ({
  title: "By stage",
  heads: [
    "STAGE",
    "LOOPS",
    "COMPLETED",
    ...LEVELS.map((level) => level.toUpperCase()),
    "ITER",
    "MEDIAN",
    "90 %",
    "ACCEPTED",
    ...AMOUNTS,
  ],
  rows: stages.map(stageRow),
  numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
});

const stageRow = ({ place, toCompletion, ...sums }: StageStats): string[] => [
  statsPlaceWords(place),
  String(sums.loops),
  String(completedIn(sums)),
  // A level without loops has no column.
  ...LEVELS.map((level) => (level === "verified" || sums.levels[level] > 0 ? String(sums.levels[level]) : "")),
  String(sums.iterations),
  toCompletion ? String(toCompletion.median) : "",
  toCompletion ? String(toCompletion.p90) : "",
  percent(shareAccepted(sums.firstClaims)),
  ...amountCells(sums),
];

export const iterationTable = ({ iterations }: Stats): StatsTable => ({
  title: "By iteration",
  heads: ["LOOP", "TASK", "STAGE", "ITER", "OUTCOME", ...AMOUNTS],
  rows: iterations.map(iterationRow),
  numbers: [3, 5, 6, 7, 8],
});

const iterationRow = ({ loop, task, place, n, outcome, ...amounts }: IterationStats): string[] => [
  loop,
  task ?? "",
  task === null ? "" : statsPlaceWords(place),
  String(n),
  outcome,
  ...amountCells(amounts),
];

const reasonTable = ({ reasons }: Stats): StatsTable => ({
  title: "Why claims were refused",
  heads: ["TIMES", "WHY", "WHICH"],
  rows: reasons.map((reason) => [String(reason.times), reasonLabel(reason).kind, reasonLabel(reason).name]),
  numbers: [0],
});

const stopTable = ({ stops }: Stats): StatsTable => ({
  title: "How loops stopped",
  heads: ["LOOPS", "STOP REASON"],
  rows: stops.map(({ reason, loops }) => [String(loops), reason]),
  numbers: [0],
});

export function withoutEmpty(table: StatsTable): StatsTable {
  const kept = table.heads.map((_, i) => i).filter((i) => table.rows.some((row) => row[i]));
  return {
    ...table,
    heads: kept.map((i) => table.heads[i] ?? ""),
    rows: table.rows.map((row) => kept.map((i) => row[i] ?? "")),
    numbers: table.numbers.flatMap((i) => (kept.includes(i) ? [kept.indexOf(i)] : [])),
  };
}

export const statsTables = (stats: Stats): StatsTable[] =>
  [stageTable(stats), taskTable(stats), reasonTable(stats), stopTable(stats), iterationTable(stats)]
    .filter(({ rows }) => rows.length > 0)
    .map(withoutEmpty);
