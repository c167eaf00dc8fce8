import { gridOf, heading } from "../chart/parts.ts";
import { pictureOf } from "../chart/picture.ts";
import { type Drawing, stacked } from "../chart/svg.ts";
import { counted } from "../excerpt.ts";
import { CHART_WIDTH } from "./figure.ts";
import { figuresOf, headed } from "./figures.ts";
import type { Stats } from "./stats.ts";
import { shareAccepted } from "./sums.ts";
import { levelCounts, percent } from "./words.ts";

export interface SheetWords {
  /** The selected loops, such as `task TASK-001, the last 7 days`. */
  scope: string;
  made: string;
}

const COLUMN_GAP = 32;

export const SHEET_TITLE = "What the loops took";

export function svgOf(stats: Stats, { scope, made }: SheetWords): string {
  const [tiles, ...figures] = figuresOf(stats, { whole: CHART_WIDTH, half: (CHART_WIDTH - COLUMN_GAP) / 2 });
  const about = `${scope} · ${made}`;
  const parts = [
    ...(tiles ? [stacked([heading(SHEET_TITLE, about, CHART_WIDTH), tiles.drawing], 6)] : []),
    ...paired(figures.map(headed)),
  ];
  return `${pictureOf(stacked(parts, 22), { title: SHEET_TITLE, description: descriptionOf(stats) })}\n`;
}

/** Narrow figures that follow each other stand side by side, so that the picture fits on a screen. */
function paired(drawings: readonly Drawing[]): Drawing[] {
  const rows: Drawing[][] = [];
  for (const drawing of drawings) {
    const row = rows.at(-1);
    const fitsBeside = row?.length === 1 && [...row, drawing].every(({ width }) => width < CHART_WIDTH);
    if (row && fitsBeside) row.push(drawing);
    else rows.push([drawing]);
  }
  return rows.map((row) => gridOf(row, row.length, COLUMN_GAP));
}

export function descriptionOf({ totals, tasks }: Stats): string {
  const accepted = percent(shareAccepted(totals.firstClaims));
  return [
    `${counted(tasks.length, "task")}, ${counted(totals.loops, "loop")}, of which ${levelCounts(totals)}`,
    `${counted(totals.iterations, "iteration")}`,
    `${counted(totals.claims.refused, "claim")} refused; ${accepted} of the first claims were accepted.`,
  ].join(", ");
}
