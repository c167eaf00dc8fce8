import { looksLike } from "./lookalike.ts";
import type { ClaimPolicy, ClaimTag } from "./policy.ts";
import type { Tag } from "./tag.ts";
import type { MessageView, ViewPart } from "./view.ts";

/** Text that was meant as a tag but is not one. */
interface NearMiss extends Pick<Tag, "start" | "end"> {
  rule: "look-alike" | "entities" | "unclosed";
  detail?: string;
}

const OPEN = "(?:<|&lt;|[＜‹〈⟨❮])";
const CLOSE = "(?:>|&gt;|[＞›〉⟩❯])";
const NAME = "([^\\s<>&/＜＞‹›〈〉⟨⟩❮❯]{5,24})";
/** A whole tag, its names and brackets in any spelling; the text between them is short, so that searches are short. */
const SHAPE = new RegExp(`${OPEN}${NAME}${CLOSE}([^<>＜＞]{1,160}?)${OPEN}[/／]${NAME}${CLOSE}`, "gu");
const HINT = /&lt;|[＜‹〈⟨❮]|<[/／]?[\w.-]{0,24}[^\0-\x7f]/u;

/** The texts in a part of a message that were meant as one of the expected tags but are not. */
export const nearMisses = (
  view: MessageView,
  part: ViewPart,
  policy: Pick<ClaimPolicy, "tags" | "promise">,
): NearMiss[] => [...misspelled(view, part, policy.tags), ...unclosed(view, part, policy)];

/** More of them in one part of a message add no information. */
const MOST = 50;
const OPENING = /<(promise|response)[ \t]{0,4}>\s{0,40}/gi;
/** How far after the promise its closing tag may be. */
const CLOSES_WITHIN = 40;

function unclosed(
  { text }: MessageView,
  { from, to, glance }: ViewPart,
  policy: Pick<ClaimPolicy, "tags" | "promise">,
): NearMiss[] {
  const promise = policy.promise.trim().toLowerCase();
  if (promise === "" || !/<(?:promise|response)/i.test(glance)) return [];
  const found: NearMiss[] = [];
  OPENING.lastIndex = from;
  for (let opening = OPENING.exec(text); opening && opening.index < to; opening = OPENING.exec(text)) {
    const name = (opening[1] ?? "").toLowerCase();
    const end = OPENING.lastIndex + promise.length;
    if (text.slice(OPENING.lastIndex, end).toLowerCase() !== promise) continue;
    const behind = text.slice(end, end + CLOSES_WITHIN).toLowerCase();
    const closed = behind.includes(`</${name}`) || /^[\p{L}\p{N}_]/u.test(behind);
    if (!closed && policy.tags.some((tag) => tag === name)) found.push({ start: opening.index, end, rule: "unclosed" });
  }
  return found;
}

function misspelled({ text }: MessageView, { from, to, glance }: ViewPart, tags: readonly ClaimTag[]): NearMiss[] {
  if (!HINT.test(glance)) return [];
  const found: NearMiss[] = [];
  SHAPE.lastIndex = from;
  for (let shape = SHAPE.exec(text); shape && shape.index < to && found.length < MOST; shape = SHAPE.exec(text)) {
    const miss = missOf(shape, tags);
    if (miss) found.push({ start: shape.index, end: SHAPE.lastIndex, ...miss });
    else SHAPE.lastIndex = shape.index + 1;
  }
  return found;
}

function missOf([whole, opening = "", , closing = ""]: RegExpExecArray, tags: readonly ClaimTag[]) {
  const names = [opening, closing];
  for (const tag of tags) {
    const odd = names.map((name) => looksLike(name, tag));
    if (!names.every((name, i) => name.toLowerCase() === tag || odd[i])) continue;
    const details = [...odd.filter((detail) => detail !== null), ...brackets(whole)];
    if (details.length > 0) return { rule: "look-alike" as const, detail: [...new Set(details)].join(", ") };
    return /&[lg]t;/.test(whole) ? { rule: "entities" as const } : null;
  }
  return null;
}

const brackets = (whole: string): string[] =>
  [..."＜‹〈⟨❮=<,＞›〉⟩❯=>,／=/".split(",")]
    .map((row) => row.split("="))
    .flatMap(([odd = "", plain]) =>
      [...odd].filter((char) => whole.includes(char)).map((char) => `${codeWords(char)} in place of ${plain}`),
    );

const codeWords = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()} ${char}`;
