import { cut, shorten } from "../excerpt.ts";
import type { Feedback, FeedbackItem } from "./state.ts";

/** Maximum lengths in feedback: for command output, and for every other text from outside. */
export interface Room {
  output: number;
  line: number;
}

/** A piece of feedback that can be shortened. */
export interface Piece {
  action: FeedbackItem["action"];
  say(room: Room): Said;
}

/** The text of a piece. */
export type Said = Omit<FeedbackItem, "action">;

/** A piece that follows the task. */
export const appendedPiece = (say: (room: Room) => string): Piece => ({
  action: "APPEND",
  say: (room) => ({ text: say(room) }),
});

/** The maximum length of the line that names a log: the budget must not depend on its path on this machine. */
const LOG_CHARS = 200;

/** Whether there is room for the line that names a log. */
export const hasLogRoom = (room: Room): boolean => room.line >= LOG_CHARS;

/** The text of an item, with the path of its log on this machine. */
export function itemText({ text, log }: FeedbackItem): string {
  const line = log ? `\nFull output: ${log.path}` : "";
  return log && line.length <= LOG_CHARS ? text.slice(0, log.at) + line + text.slice(log.at) : text;
}

/** Pieces of a prompt are separated by an empty line. */
const BETWEEN = 2;
/** The minimum length at which a shortened name is still useful. */
const LEAST_LINE = 24;
const MARK_CHARS = 40;
const LEAST_OUTPUT = 3 * MARK_CHARS;

/**
 * Fits the pieces into the character limit. Command output is shortened first, evenly; then the other texts, evenly.
 * A piece is omitted only if not even its beginning fits.
 */
export function fitted(pieces: readonly Piece[], maxChars: number): Feedback {
  const saying = (room: Room): Feedback => pieces.map(({ action, say }) => ({ action, ...say(room) }));
  const fits = (room: Room): boolean => lengthOf(saying(room)) <= maxChars;
  const whole = { output: Number.POSITIVE_INFINITY, line: Number.POSITIVE_INFINITY };
  if (fits(whole)) return saying(whole);
  const output = largest(maxChars, (room) => fits({ ...whole, output: room }));
  if (output !== null) return saying({ ...whole, output });
  const line = largest(maxChars, (room) => room >= LEAST_LINE && fits({ output: 0, line: room }));
  return line === null ? beginnings(saying({ output: 0, line: LEAST_LINE }), maxChars) : saying({ output: 0, line });
}

const lengthOf = (items: Feedback): number =>
  items.reduce((sum, { text, log }) => sum + text.length + (log ? LOG_CHARS : 0), 0) +
  BETWEEN * Math.max(0, items.length - 1);

/** Binary search: the largest number from 0 that fits; every smaller number fits too. */
function largest(most: number, does: (n: number) => boolean): number | null {
  let [low, high, found] = [0, most, null as number | null];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    if (does(middle)) [found, low] = [middle, middle + 1];
    else high = middle - 1;
  }
  return found;
}

/** Long texts are shortened before short ones. */
function beginnings(items: Feedback, maxChars: number): Feedback {
  const clipped = (most: number): Feedback => items.map(({ action, text }) => ({ action, text: text.slice(0, most) }));
  const most = largest(maxChars, (room) => lengthOf(clipped(room)) <= maxChars) ?? 0;
  return most > 0 ? clipped(most) : [];
}

/** Head and tail of command output, up to the limit; empty if too little would remain. */
export function outputIn(room: Room, text: string): string {
  if (text.length <= room.output) return text;
  return room.output < LEAST_OUTPUT ? "" : cut(text, room.output - MARK_CHARS);
}

/** A text on one line. */
export const lineIn = (room: Room, text: string, most = Number.POSITIVE_INFINITY): string =>
  shorten(text, Math.min(room.line, most));
