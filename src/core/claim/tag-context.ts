import type { Tag } from "./tag.ts";
import type { MessageView } from "./view.ts";

/** The surroundings of a tag: its line, its paragraph, its sentence, and the line that introduces it. */
export interface Setting {
  /** The tag's line, before and after it. */
  prefix: string;
  suffix: string;
  /** The tag's paragraph, before and after it. */
  above: string;
  below: string;
  /** The tag's sentence, before and after it. */
  lead: string;
  trail: string;
  /** Only decoration shares the tag's line. */
  alone: boolean;
  /** The line is a list item. */
  item: boolean;
  /** Only decoration follows in the whole message. */
  final: boolean;
}

/** How far around a tag its paragraph is read. */
const REACH = 400;
const BULLET = /^[ \t]*(?:[-*+•◦▪‣]|\d{1,3}[.)])[ \t]+/;
/** Without words, quotation marks, or marks that change the meaning of the line. */
const DECORATION = /^[^\p{L}\p{N}"'`“”„‘’«»‹›<>|+\\?[\]]*$/u;
const MARKER = /^[ \t]*(?:#{1,6}[ \t]+)?(?:(?:[-*+•◦▪‣]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX✓✔]\][ \t]*)?/;

/** Reads the surroundings of the stretch `start`–`end` of a view. */
export function settingOf(view: MessageView, { start, end }: Pick<Tag, "start" | "end">): Setting {
  const { text } = view;
  const before = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + REACH);
  const prefix = before.slice(before.lastIndexOf("\n") + 1);
  const suffix = /^[^\r\n]*/.exec(after)?.[0] ?? "";
  const above = before.slice(lastBlankLine(before));
  const below = after.slice(0, firstBlankLine(after));
  const alone = DECORATION.test(prefix.replace(MARKER, "")) && DECORATION.test(suffix);
  const final = view.ends && DECORATION.test(text.slice(end, end + REACH)) && !/\S/.test(text.slice(end + REACH));
  const wrapped = !final && isWrapped(above.slice(0, above.length - prefix.length), below, alone);
  return {
    prefix,
    suffix,
    above,
    below,
    lead: leadOf(wrapped || prefix.trim() !== "" ? above : "", prefix, wrapped),
    trail: alone && !wrapped ? "" : trailOf(below, prefix),
    alone: alone && !wrapped,
    item: BULLET.test(prefix),
    final,
  };
}

/** The last line with words above an offset, without list items when `pastItems`; "" when a view does not reach it. */
export function introOf(text: string, offset: number, pastItems = false): string {
  const lines = text.slice(Math.max(0, offset - 2 * REACH), offset).split("\n");
  lines.pop(); // the part of the tag's own line
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    if (line.trim() !== "" && !(pastItems && BULLET.test(line))) return line;
  }
  return "";
}

function lastBlankLine(text: string): number {
  let at = 0;
  for (const gap of text.matchAll(/\n[ \t\r]{0,40}\n/g)) at = gap.index + gap[0].length;
  return at;
}

function firstBlankLine(text: string): number {
  const at = text.search(/\n[ \t\r]{0,40}\n/);
  return at < 0 ? text.length : at;
}

/** Prose wrapped into lines: the tag starts or fills a line in the middle of a sentence. */
function isWrapped(linesAbove: string, below: string, alone: boolean): boolean {
  const runsOn = /[\p{L}\p{N},]\s*$/u.test(linesAbove);
  return runsOn && (alone ? /^[^\n\p{L}\p{N}]*\n\s*\p{Ll}/u : /^[ \t,]*\p{Ll}/u).test(below);
}

const SENTENCE_END = /[.!?…]["'”’)\]*_]*\s+(?!\p{Ll})|\n(?!\s*\p{Ll})/gu;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|approx|resp)\.\s*$/i;

function leadOf(above: string, prefix: string, wrapped: boolean): string {
  const ownLine = above.length - prefix.length;
  let at = 0;
  for (const end of above.matchAll(SENTENCE_END)) {
    const next = end.index + end[0].length;
    if (wrapped && next >= ownLine && prefix.trim() === "") break;
    if (!ABBREVIATION.test(above.slice(at, next))) at = next;
  }
  return above.slice(at);
}

function trailOf(below: string, prefix: string): string {
  // A capital after the tag starts a new sentence.
  if (/^\s+\p{Lu}/u.test(below) && (prefix.trim() === "" || !/^\s+I\b/.test(below))) return "";
  const end = below.search(/[.!?…]["'”’)\]*_]*(?:\s|$)|\n(?!\s*\p{Ll})/u);
  return end < 0 ? below : below.slice(0, end + 1);
}
