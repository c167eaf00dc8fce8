import { stripAnsi } from "../../../core/ansi.ts";

/** Characters that may take two cells. Counting one too many only cuts a line sooner; one too few would wrap it. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

const cellsOf = (text: string): number =>
  [...stripAnsi(text)].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** Breaks lines that are too wide between words; continuation lines keep the indentation. */
export const wrapCells = (text: string, cells: number): string =>
  text
    .split("\n")
    .map((line) => (cellsOf(line) > cells ? wrapLine(line, cells) : line))
    .join("\n");

function wrapLine(line: string, cells: number): string {
  const [indent = ""] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  for (const word of line.trimStart().split(" ")) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && cellsOf(longer) <= cells - indent.length) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((part) => `${indent}${part}`).join("\n");
}

/** Cuts a text to that many terminal cells, with a mark if it was cut. */
export function fitCells(text: string, cells: number): string {
  let used = 0;
  let kept = "";
  // Colours take no cells, and are closed even if the text is cut.
  for (const [piece] of text.matchAll(PIECES)) {
    const isColour = piece.length > 2;
    used += isColour ? 0 : WIDE.test(piece) ? 2 : 1;
    if (used > cells) return cells < 1 ? "" : `${kept}…${coloursAfter(text, kept.length)}`;
    // Leaves room for the mark.
    if (used < cells || isColour) kept += piece;
  }
  return text;
}

const COLOUR = "\u001b\\[\\d+m";
const PIECES = new RegExp(`${COLOUR}|[^]`, "gu");

const coloursAfter = (text: string, from: number): string =>
  (text.slice(from).match(new RegExp(COLOUR, "g")) ?? []).join("");
