import type { ClaimTag } from "./policy.ts";
import { type MessageView, startsLine, type ViewPart } from "./view.ts";

/** A complete tag in a view; offsets are relative to the view's text. */
export interface Tag {
  name: ClaimTag | "blocked" | "signal";
  start: number;
  end: number;
  /** The text between the tags, unchanged. */
  inner: string;
}

const TOKEN = /<(\/?)(promise|response|blocked)[ \t]{0,4}>/gi;
const LONGEST_INNER = 4_096;

const HINT = /<\/?(?:promise|response|blocked)/i;

/** Whether a tag can start or end in a part of the text: a cheap test that rules out most text. */
export function mayHoldTag({ glance }: ViewPart): boolean {
  return HINT.test(glance);
}

interface Opening {
  name: ClaimTag | "blocked";
  start: number;
  end: number;
}

/** Finds complete tags block by block; an opening tag may be in one block and its closing tag in the next. */
export function tagFinder(): (view: MessageView, part: ViewPart) => Tag[] {
  let opening: Opening | null = null; // offsets in the iteration's text, as is `read`
  let read = 0;

  return (view, { from, to }) => {
    const found: Tag[] = [];
    TOKEN.lastIndex = Math.max(from, read - view.base);
    for (let token = TOKEN.exec(view.text); token && token.index < to; token = TOKEN.exec(view.text)) {
      const name = (token[2] ?? "").toLowerCase() as Opening["name"];
      const here = { name, start: view.base + token.index, end: view.base + TOKEN.lastIndex };
      const opens = token[1] === "";
      // A blocked reason may mention the other tags, so it is read as a whole.
      const tag = opens ? wholeReason(view, here) : complete(view, opening, here);
      opening = opens && !tag ? here : null;
      if (!tag) continue;
      found.push(tag);
      TOKEN.lastIndex = tag.end;
      read = view.base + tag.end;
    }
    return found;
  };
}

function complete(view: MessageView, opening: Opening | null, closing: Opening): Tag | null {
  if (opening?.name !== closing.name || closing.start - opening.end > LONGEST_INNER) return null;
  const inner = view.text.slice(opening.end - view.base, closing.start - view.base);
  return { name: opening.name, start: opening.start - view.base, end: closing.end - view.base, inner };
}

function wholeReason(view: MessageView, opening: Opening): Tag | null {
  if (opening.name !== "blocked") return null;
  const next = /<(\/?)blocked[ \t]{0,4}>/gi;
  next.lastIndex = opening.end - view.base;
  const close = next.exec(view.text);
  if (close?.[1] !== "/") return null;
  const start = view.base + close.index;
  return complete(view, opening, { name: "blocked", start, end: start + close[0].length });
}

/** The places where the bare promise is alone on a line, in exact case, perhaps emphasised. */
export function signalsIn({ text }: MessageView, { from, to, glance }: ViewPart, promise: string): Tag[] {
  const found: Tag[] = [];
  const signal = promise.trim();
  if (signal === "" || !glance.includes(signal)) return found;
  for (let at = text.indexOf(signal, from); at >= 0 && at < to; at = text.indexOf(signal, at + signal.length)) {
    const end = at + signal.length;
    const emphasis = /[*_]{0,3}$/.exec(text.slice(Math.max(0, at - 3), at))?.[0] ?? "";
    const opens = startsLine(text, at - emphasis.length, 40);
    const closes = /^[*_]{0,3}[ \t\r]*(?:\n|$)/.test(text.slice(end, end + 40));
    if (opens && closes) found.push({ name: "signal", start: at, end, inner: signal });
  }
  return found;
}
