import { CRITERION_LOOKS } from "../../core/view/marks.ts";
import type { CriterionLine } from "../../core/view/task-page.ts";
import { cellsOf, fitCells } from "../terminal/cells.ts";
import type { Segment } from "../terminal/frame.ts";
import { paint, paintTone } from "../terminal/paint.ts";

export const bold = (text: string): string => paint("bold", text);
export const dim = (text: string): string => paint("dim", text);
/** Visible without colours, too. */
export const inverse = (text: string): string => paint("inverse", text);

/** A line of a page with its name, as `ralph why` names it; none without a text. */
export const labelled = (name: string, text: string): string[] => (text === "" ? [] : [`${dim(`${name}:`)} ${text}`]);

/** An acceptance criterion with its mark, and why it is not proved. */
export function criterionText({ text, is, why }: CriterionLine): string {
  const { tone, mark } = CRITERION_LOOKS[is];
  return `${paintTone(tone, mark)} ${text}${why ? dim(` (${why})`) : ""}`;
}

/** A text at a column, counted from 0. */
export const at = (column: number, text: string): Segment => ({ column, text });

interface Ends {
  x: number;
  width: number;
  left: string;
  right: string;
}

/** A text at the left and one at the right edge of a range; the left one gives way. */
export function ends({ x, width, left, right }: Ends): Segment[] {
  const shown = fitCells(right, width);
  const cells = cellsOf(shown);
  const space = width - (cells > 0 ? cells + 1 : 0);
  const segments = [at(x, fitCells(left, space))];
  return cells > 0 ? [...segments, at(x + width - cells, shown)] : segments;
}
