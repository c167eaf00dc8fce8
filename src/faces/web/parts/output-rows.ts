import { ansiReader, type Line } from "./ansi.ts";
import { type LineStore, lineStore } from "./line-store.ts";
import type { Piece } from "./output-stream.ts";
import { wrapped } from "./wrap.ts";

/** What the rows of an output show: only lines with this text, in rows of this width. */
export interface RowsView {
  filter: string;
  columns: number;
}

/** The lines of an output as rows for a list. Lines are only read once; another view of them makes the rows again. */
export interface OutputRows {
  add(pieces: readonly Piece[]): void;
  show(view: RowsView): void;
  size(): number;
  at(index: number): Line;
  /** How many lines there are, and how many have the text of the filter. */
  lines(): { all: number; found: number; dropped: number };
  text(): string;
}

export const textOf = (line: Line): string => line.map(({ text }) => text).join("");

export function outputRows(start: RowsView): OutputRows {
  const lines: LineStore<Line> = lineStore();
  let view = start;
  let rows: LineStore<Line> = lineStore();
  let found = 0;
  let reader = ansiReader();
  let current = "";

  function project(some: Iterable<Line>): void {
    const needle = view.filter.toLowerCase();
    for (const line of some) {
      if (needle !== "" && !textOf(line).toLowerCase().includes(needle)) continue;
      found++;
      rows.add(wrapped(line, view.columns));
    }
  }
  function addLines(more: readonly Line[]): void {
    lines.add(more);
    project(more);
  }
  /** A heading between the attempts of an output that has several. */
  function begin({ iteration, attempt }: Piece): void {
    const heading = `── iteration ${iteration}${attempt > 1 ? `, attempt ${attempt}` : ""} ──`;
    addLines([...reader.end(), [{ text: heading, look: "heading" }]]);
    reader = ansiReader();
  }
  /** The line that has not ended is always shown, in one row. */
  const open = (): Line | null => {
    const line = reader.open();
    return line.length > 0 ? line : null;
  };
  return {
    add(pieces) {
      for (const piece of pieces) {
        const key = `${piece.iteration}.${piece.attempt}`;
        if (key !== current) begin(piece);
        current = key;
        addLines(reader.push(piece.text));
      }
    },
    show(next) {
      if (next.filter === view.filter && next.columns === view.columns) return;
      view = next;
      rows = lineStore();
      found = 0;
      project(lines.all());
    },
    size: () => rows.size() + (open() ? 1 : 0),
    at: (index) => (index < rows.size() ? rows.at(index) : open()) ?? [],
    lines: () => ({ all: lines.size() + (open() ? 1 : 0), found, dropped: lines.dropped() }),
    text: () => [...lines.all(), ...[open()].filter((line) => line !== null)].map(textOf).join("\n"),
  };
}
