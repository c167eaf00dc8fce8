import stringWidth from "string-width";
import { stripAnsi } from "../../core/ansi.ts";

const PLAIN = /^[\u0020-\u007e]*$/;
/** Characters of one cell each, and none that is drawn on another: most texts. Measuring others is much slower. */
const SINGLE =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u0410-\u044f\u2010-\u2027\u2190-\u2193\u2500-\u259f\u2039\u203a\u23f8\u25b8\u25be\u25cb\u2713\u2717]*$/;
/** The marks of the view that take two. */
const DOUBLE = /[\u{1f504}\u23f3]/gu;

let segmenter: Intl.Segmenter | undefined;
/** What the user sees as one character. Made when it is first needed: most output is plain. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** The cells of one grapheme: an emoji of several people takes those of one. */
const cellsOfOne = (grapheme: string): number =>
  SINGLE.test(grapheme) ? grapheme.length : stringWidth(grapheme, { countAnsiEscapeCodes: true });

/** The cells that a text takes on a terminal; colours take none. */
export function cellsOf(text: string): number {
  const visible = stripAnsi(text);
  if (PLAIN.test(visible)) return visible.length;
  const doubled = visible.replace(DOUBLE, "  ");
  if (SINGLE.test(doubled)) return doubled.length;
  return stringWidth(visible, { countAnsiEscapeCodes: true });
}

/** Whether a text is wider. No character takes more than two cells. */
const isWider = (text: string, cells: number): boolean => text.length * 2 > cells && cellsOf(text) > cells;

/** The indentation, which may follow a colour. */
const LEADING = /^(?:\u001b\[[\d;]*m)*( *)/;

/** A command of Ralph, until what ends it in a sentence. */
const COMMAND = /`[^`]*`|(?<![\w/.-])ralph [a-z](?:"[^"]*"|(?! {2}|[`(),;:·]).)*(?<! )/g;
/** Stands for a space at which a line is not broken; no text has it. */
const GLUE = "\uffff";

/**
 * Breaks lines that are too wide between words; continuation lines keep the indentation. A command is not broken, so
 * that it can be copied.
 */
export const wrapCells = (text: string, cells: number): string =>
  text
    .split("\n")
    .map((line) => (isWider(line, cells) ? wrapLine(line, cells) : line))
    .join("\n");

function wrapLine(line: string, cells: number): string {
  const [before = "", indent = ""] = LEADING.exec(line) ?? [];
  const lines: string[] = [];
  const whole = line.slice(before.length).replace(COMMAND, (command) => command.replaceAll(" ", GLUE));
  for (const word of whole.split(" ")) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && cellsOf(longer) <= cells - indent.length) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return before + lines.join(`\n${indent}`).replaceAll(GLUE, " ");
}

const COLOUR = "\u001b\\[[\\d;:]*m";
const COLOURS = new RegExp(COLOUR, "g");
const PARTS = new RegExp(`(${COLOUR})`);

/** What the user sees as one character each. */
const charactersOf = (text: string): Iterable<string> =>
  SINGLE.test(text) ? text : Array.from(graphemesOf(text), ({ segment }) => segment);

/** Cuts a text to that many terminal cells, with a mark if it was cut. Colours are closed even if the text is cut. */
export function fitCells(text: string, cells: number): string {
  if (!isWider(text, cells)) return text;
  if (cells < 1) return "";
  let used = 0;
  let kept = "";
  for (const [i, part] of text.split(PARTS).entries()) {
    // Every other part is a colour.
    if (i % 2 === 1) kept += part;
    else {
      for (const character of charactersOf(part)) {
        used += cellsOfOne(character);
        // Leaves room for the mark.
        if (used >= cells) return `${kept}…${(text.slice(kept.length).match(COLOURS) ?? []).join("")}`;
        kept += character;
      }
    }
  }
  return kept;
}

/** The same, filled with spaces to exactly that many cells. */
export function padCells(text: string, cells: number): string {
  const fitted = fitCells(text, cells);
  return fitted + " ".repeat(Math.max(0, cells - cellsOf(fitted)));
}
