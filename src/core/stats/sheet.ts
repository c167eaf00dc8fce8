import { heading } from "../chart/parts.ts";
import { pictureOf } from "../chart/picture.ts";
import { stacked } from "../chart/svg.ts";
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

export const SHEET_TITLE = "What the loops took";

export function svgOf(stats: Stats, { scope, made }: SheetWords): string {
  const [tiles, ...figures] = figuresOf(stats);
  const about = `${scope} · ${made}`;
  const parts = [
    ...(tiles ? [stacked([heading(SHEET_TITLE, about, CHART_WIDTH), tiles.drawing], 6)] : []),
    ...figures.map(headed),
  ];
  return `${pictureOf(stacked(parts, 30), { title: SHEET_TITLE, description: descriptionOf(stats) })}\n`;
}

export function descriptionOf({ totals, tasks }: Stats): string {
  const accepted = percent(shareAccepted(totals.firstClaims));
  return [
    `${counted(tasks.length, "task")}, ${counted(totals.loops, "loop")}, of which ${levelCounts(totals)}`,
    `${counted(totals.iterations, "iteration")}`,
    `${counted(totals.claims.refused, "claim")} refused; ${accepted} of the first claims were accepted.`,
  ].join(", ");
}
