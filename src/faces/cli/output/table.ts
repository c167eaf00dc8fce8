import { cellsOf, fitCells } from "../../terminal/cells.ts";

export type Rows = readonly (readonly string[])[];

/** Rows in aligned columns, each one line of at most `width` cells. `gives`: the column that is shortened first. */
export function table(rows: Rows, gives: number | null, width: number): string {
  const widths = widthsOf(rows);
  const excess = widths.reduce((sum, cells) => sum + cells + 2, -2) - width;
  if (gives !== null && excess > 0) widths[gives] = Math.max(LEAST_CELLS, (widths[gives] ?? 0) - excess);
  return rows
    .map((row) =>
      row
        .map((cell, i) => padded(i === gives ? fitCells(cell, widths[i] ?? 0) : cell, widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => fitCells(line, width))
    .join("\n");
}

/** A shorter excerpt of a text is not readable. */
const LEAST_CELLS = 24;

const widthsOf = (rows: Rows): number[] =>
  rows[0]?.map((_, column) => Math.max(...rows.map((row) => cellsOf(row[column] ?? "")))) ?? [];

const padded = (cell: string, width: number): string => cell + " ".repeat(Math.max(0, width - cellsOf(cell)));
