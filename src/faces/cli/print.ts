import { stripAnsi } from "../../core/ansi.ts";
import { formatDuration } from "../../core/duration.ts";
import { fitCells, wrapCells } from "./cells.ts";

/** Writes to standard output; a promise when the reader is slower. A reader that went away is no error. */
export function print(output: Buffer | string): Promise<void> | undefined {
  if (output.length === 0 || gone || process.stdout.write(output)) return undefined;
  return new Promise((resolve) => {
    const done = () => {
      process.stdout.off("drain", done).off("error", done);
      resolve();
    };
    process.stdout.once("drain", done).once("error", done);
  });
}

let gone = false;
process.stdout.on("error", () => {
  gone = true;
});
process.stderr.on("error", () => undefined);

export const printLine = (line: string): void => void print(`${line}\n`);
/** How wide standard output is; a file or a pipe has no edge. */
export const terminalWidth = (): number =>
  process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;

/** Words for people: on a terminal no word is torn at its edge. */
export const printWords = (text: string): void => printLine(wrapCells(text, terminalWidth()));

export const printJson = (value: unknown): void => printLine(JSON.stringify(value));

/** Ralph's own words while a loop runs: they go to standard error, the agent's to standard output. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

export const agoOf = (atMs: number, nowMs = Date.now()): string => `${formatDuration(Math.max(0, nowMs - atMs))} ago`;

const UNITS: readonly [string, number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** The same in one unit: `5m ago`. */
export function roughlyAgo(atMs: number, nowMs = Date.now()): string {
  const passed = Math.max(0, nowMs - atMs);
  const [unit, ms] = UNITS.find(([, one]) => passed >= one) ?? ["s", 1_000];
  return `${Math.floor(passed / ms)}${unit} ago`;
}

type Rows = readonly (readonly string[])[];

/** Rows in aligned columns; on a terminal each is one line of it. `gives`: the column that makes room for the others. */
export function table(rows: Rows, gives: number | null = null, width = terminalWidth()): string {
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

/** Fewer cells of a text say nothing. */
const LEAST_CELLS = 24;

const widthsOf = (rows: Rows): number[] =>
  rows[0]?.map((_, column) => Math.max(...rows.map((row) => lengthOf(row[column] ?? "")))) ?? [];

/** Colours have no length. */
const lengthOf = (cell: string): number => stripAnsi(cell).length;

const padded = (cell: string, width: number): string => cell + " ".repeat(Math.max(0, width - lengthOf(cell)));
