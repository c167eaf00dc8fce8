import type { Writable } from "node:stream";
import { terminalText } from "../../core/terminal-text.ts";
import { withoutColours } from "./paint.ts";

/** A text with its colours at a column, counted from 0. */
export interface Segment {
  column: number;
  text: string;
}

/** One line of the screen, its segments from left to right. */
export type Row = readonly Segment[];

const CSI = "\u001b[";

/**
 * The line as it is written. Each segment begins at its column, because terminals disagree about widths, and what is
 * not text or colour is removed, whatever it contains.
 */
export function lineOf(row: Row, colours: boolean): string {
  return row
    .map(({ column, text }) => {
      const clean = terminalText(text, true).replaceAll(/[\n\t]/g, " ");
      return `${CSI}${column + 1}G${colours ? clean : withoutColours(clean)}`;
    })
    .join("");
}

/** What turns the lines on the screen into new ones; empty if they are equal. `shown` is null if it is unknown. */
export function difference(shown: readonly string[] | null, lines: readonly string[]): string {
  const before = shown ?? [];
  let text = shown ? "" : `${CSI}m${CSI}2J`;
  for (let i = 0; i < Math.max(before.length, lines.length); i++) {
    const line = lines[i] ?? "";
    // Erased first: between two segments nothing of the old line may stay.
    if (line !== (before[i] ?? "")) text += `${CSI}${i + 1};1H${CSI}m${CSI}2K${line}${CSI}m`;
  }
  return text;
}

/** A terminal that knows it shows the update at once; others ignore the marks. */
const [BEGIN_UPDATE, END_UPDATE] = [`${CSI}?2026h`, `${CSI}?2026l`];

interface FrameWriter {
  draw(rows: readonly Row[]): void;
  /** Draws everything again: what the terminal shows is unknown. */
  repaint(): void;
  /** Draws nothing more until `repaint`. */
  pause(): void;
}

/** Writes one frame at a time. While the terminal is busy with it, only the newest of the following ones is kept. */
export function openFrames(stdout: Writable, { colours, rows }: { colours: boolean; rows(): number }): FrameWriter {
  let newest: readonly Row[] = [];
  let shown: readonly string[] | null = null;
  let isWriting = false;
  let isPaused = true;

  function write(): void {
    if (isWriting || isPaused) return;
    const lines = newest.slice(0, rows()).map((row) => lineOf(row, colours));
    const text = difference(shown, lines);
    shown = lines;
    if (text === "") return;
    isWriting = true;
    stdout.write(BEGIN_UPDATE + text + END_UPDATE, () => {
      isWriting = false;
      write();
    });
  }
  return {
    draw(frame) {
      newest = frame;
      write();
    },
    repaint() {
      [shown, isPaused] = [null, false];
      write();
    },
    pause() {
      isPaused = true;
    },
  };
}
