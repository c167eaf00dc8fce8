import { BIDI, holdBack, SEQUENCE, UNFINISHED } from "../../../core/ansi.ts";
import { DEFAULT_LOOK, type Look, lookAfter, lookClasses } from "./ansi-look.ts";

/** A piece of a line in one look: `look` is a list of classes. */
export interface Span {
  text: string;
  look: string;
}
export type Line = readonly Span[];

/** What is left of a longer line. */
export const MOST_CHARS = 4_000;
/** A line with more colours has no further ones. */
const MOST_SPANS = 400;
const TAB = 8;

const CONTROL = `[\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u061c\\u2028\\u2029${BIDI}]`;
const TOKENS = new RegExp(`${SEQUENCE}|${CONTROL}`, "g");
/** Half a character waits for the other half, which may overwrite the same columns. */
const UNFINISHED_TOKEN = new RegExp(`${UNFINISHED}|[\\ud800-\\udbff]$`);
const COLOUR = /^\x1b\[([\d;:]*)m$/;
const ERASE = /^\x1b\[([012]?)K$/;

/** Reads the output of a program as a terminal would show it, line by line. Does not depend on how it is cut. */
export interface AnsiReader {
  /** The lines that this chunk has completed. */
  push(chunk: string): Line[];
  /** The line that has not ended; empty if there is none. */
  open(): Line;
  /** Ends the text: the last line if it is not empty. */
  end(): Line[];
}

export function ansiReader(): AnsiReader {
  const hold = holdBack(UNFINISHED_TOKEN);
  const row = openRow();
  let look = DEFAULT_LOOK;
  let classes = "";

  function act(token: string, lines: Line[]): void {
    const colour = COLOUR.exec(token);
    if (colour) [look, classes] = restyled(look, colour[1] ?? "", classes);
    else if (token === "\n") lines.push(row.take());
    else if (token === "\r") row.home();
    else if (token === "\t") row.write(" ".repeat(TAB - (row.column() % TAB)), classes);
    else row.erase(ERASE.exec(token)?.[1] ?? null);
  }
  function read(text: string): Line[] {
    const lines: Line[] = [];
    let at = 0;
    for (const { 0: token, index } of text.matchAll(TOKENS)) {
      if (index > at) row.write(text.slice(at, index), classes);
      act(token, lines);
      at = index + token.length;
    }
    if (at < text.length) row.write(text.slice(at), classes);
    return lines;
  }
  return {
    push: (chunk) => read(hold.next(chunk)),
    open: () => row.now(),
    end() {
      const lines = read(hold.rest());
      return row.now().length > 0 ? [...lines, row.take()] : lines;
    },
  };
}

function restyled(look: Look, codes: string, classes: string): [Look, string] {
  const next = lookAfter(look, codes);
  return next === look ? [look, classes] : [next, lookClasses(next)];
}

/** The line that is being written: a return goes back to its start, and what follows overwrites it. */
function openRow() {
  let spans: Span[] = [];
  let length = 0;
  let column = 0;
  let left = 0;

  function put(text: string, look: string): void {
    const after = column + text.length < length ? sliced(spans, column + text.length, length) : [];
    if (column < length) spans = sliced(spans, 0, column);
    for (const span of [{ text, look }, ...after]) {
      const last = spans.at(-1);
      const joins = last && (last.look === span.look || spans.length >= MOST_SPANS);
      if (joins) spans[spans.length - 1] = { text: last.text + span.text, look: last.look };
      else spans.push(span);
    }
    column += text.length;
    length = Math.max(length, column);
  }
  const now = (): Line => (left > 0 ? [...spans, { text: ` … ${left} more characters`, look: "dim" }] : [...spans]);
  const clear = () => {
    [spans, length, left] = [[], 0, 0];
  };
  return {
    now,
    column: () => column + left,
    home() {
      [column, left] = [0, 0];
    },
    write(text: string, look: string) {
      const room = MOST_CHARS - column;
      const fits = text.length <= room ? text : whole(text.slice(0, Math.max(0, room)));
      if (fits !== "" && left === 0) put(fits, look);
      left += left === 0 ? text.length - fits.length : text.length;
    },
    /** Null: no erasing. */
    erase(how: string | null) {
      if (how === "2") {
        clear();
        spans = column > 0 ? [{ text: " ".repeat(column), look: "" }] : [];
        length = column;
      } else if (how === "" || how === "0") {
        spans = sliced(spans, 0, column);
        length = Math.min(length, column);
      }
    },
    take(): Line {
      const line = now();
      clear();
      column = 0;
      return line;
    },
  };
}

/** Without half a character at its end. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");

function sliced(spans: readonly Span[], from: number, to: number): Span[] {
  let at = 0;
  return spans.flatMap(({ text, look }) => {
    const start = at;
    at += text.length;
    const cut = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    // The second half of a character that was overwritten by one column.
    const clean = start <= from ? cut.replace(/^[\udc00-\udfff]/, " ") : cut;
    return clean === "" ? [] : [{ text: clean, look }];
  });
}
