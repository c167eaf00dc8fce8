import { stripAnsi } from "../../../core/ansi.ts";

/** Characters that take two cells. Counting one too many only cuts a line sooner; one too few would wrap it. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
/** Only marks, joiners and other characters that are drawn on the one before. */
const INVISIBLE = /^[\p{M}\p{Cf}\p{Cc}\u200b]+$/u;
const PLAIN = /^[\u0020-\u007e]*$/;

let segmenter: Intl.Segmenter | undefined;
/** Made when it is first needed: most output is plain. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** What the user sees as one character, such as an emoji of several people, takes the cells of one. */
const cellsOfOne = (grapheme: string): number => (INVISIBLE.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1);

/** The cells that a text takes on a terminal; colours take none. */
export function cellsOf(text: string): number {
  const visible = stripAnsi(text);
  if (PLAIN.test(visible)) return visible.length;
  let cells = 0;
  for (const { segment } of graphemesOf(visible)) cells += cellsOfOne(segment);
  return cells;
}

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
    .map((line) => (cellsOf(line) > cells ? wrapLine(line, cells) : line))
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

/** Cuts a text to that many terminal cells, with a mark if it was cut. Colours are closed even if the text is cut. */
export function fitCells(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  if (cells < 1) return "";
  let used = 0;
  let kept = "";
  for (const [i, part] of text.split(PARTS).entries()) {
    // Every other part is a colour.
    if (i % 2 === 1) kept += part;
    else {
      for (const { segment } of graphemesOf(part)) {
        used += cellsOfOne(segment);
        // Leaves room for the mark.
        if (used >= cells) return `${kept}…${(text.slice(kept.length).match(COLOURS) ?? []).join("")}`;
        kept += segment;
      }
    }
  }
  return kept;
}
