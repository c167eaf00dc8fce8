import { list } from "./lexicon.ts";

const ITEM = "^[ \\t]*(?:\\|[ \\t]*)?";
const BULLET = "(?:[-*+•◦▪‣–]|\\d{1,3}[.)])[ \\t]+";
/** A line with an open box at its head: `- [ ]`, `1. [ ]`, `[ ]`, ☐. */
export const OPEN_BOX = new RegExp(
  `${ITEM}(?:${BULLET}\\[[ \\t]?\\](?!\\()|\\[ \\](?!\\()|(?:${BULLET})?[☐⬜◻◽□▢🔲])[ \\t]*(?=\\S)`,
  "mu",
);
const TICKED_BOX = new RegExp(`${ITEM}(?:${BULLET})?(?:\\[[xX✓✔✅]\\]|[☑✅✔🗹])`, "u");

/** Words that exclude an open item from the work: in the item itself, or in the line above its list. */
const LEFT_OUT = new RegExp(
  list`\b(?:optional(?:ly)?|nice[- ]to[- ]have|(?:out of|not in|beyond|outside) (?:the )?scope|not (?:needed|required|applicable|part of)|
n\/a|stretch goals?|won't (?:do|fix)|wontfix|future ideas?|ideas)\b|
opciona[li]|optionnel|facultati|opzional|facoltativ|außerhalb|fuera del? alcance|hors périmètre|fuori ambito|fora do escopo|
可选|范围外|任意|オプション|対象外|선택|범위 밖|необязательн|опциональн|вне рамок`,
  "iu",
);
const STRUCK = /^~~.*~~\W*$/u;

/** A range of the text. */
interface Stretch {
  start: number;
  end: number;
}

/** Whether an item with this text is on the prompt's own list. */
interface Prompt {
  repeatsItem(item: string): boolean;
}

interface Box extends Stretch {
  text: string;
  leftOut: boolean;
}

/**
 * The open items of the agent's own checklists. Not its own: a list in a code fence or block quote, which is about a
 * file or quotes another text, and a list of the prompt repeated with no box ticked.
 */
export function openItems(text: string, prompt: Prompt): Stretch[] {
  const { open, ticked } = boxesIn(text);
  const own = open.filter(({ leftOut }) => !leftOut);
  const isCopy = !ticked && own.every((box) => prompt.repeatsItem(box.text));
  return isCopy ? [] : own;
}

function boxesIn(text: string): { open: Box[]; ticked: boolean } {
  const open: Box[] = [];
  let [ticked, fenced, heading, start] = [false, false, "", 0];
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const read = !fenced && !/^\s*>/.test(line);
    const box = read ? OPEN_BOX.exec(line) : null;
    if (box) open.push(boxOf(line, start, { mark: box[0].length, heading }));
    else if (read && TICKED_BOX.test(line)) ticked = true;
    else if (read && /\S/.test(line)) heading = line;
    start += line.length;
  }
  return { open, ticked };
}

function boxOf(line: string, at: number, { mark, heading }: { mark: number; heading: string }): Box {
  const text = line.slice(mark).trim();
  const leftOut = STRUCK.test(text) || LEFT_OUT.test(text) || LEFT_OUT.test(heading);
  return { text, leftOut, start: at + line.search(/\S/), end: at + line.trimEnd().length };
}
