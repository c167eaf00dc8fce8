import { shorten } from "../excerpt.ts";
import { hideKeys } from "../secrets.ts";
import type { EchoDetector } from "./echo.ts";
import { fenceTracker } from "./fence.ts";
import { quotedBy } from "./guard.ts";
import type { MessageView, ViewPart } from "./view.ts";

/** The maximum number of notes in one iteration, and the length of each. */
export const MOST_NOTES = 20;
export const NOTE_CHARS = 400;

const HINT = /<note/i;
const LONGEST_INNER = 4_096;

interface Stretch {
  start: number;
  end: number;
}

/** Reads one message view by view and adds its notes to `found`. */
export function noteReader(echo: EchoDetector, found: string[]): (view: MessageView, part: ViewPart) => void {
  const fences = fenceTracker();
  return (view, part) => {
    fences.read(view, part);
    if (!HINT.test(part.glance)) return;
    for (const note of notesIn(view.text, part)) {
      const written = view.text.slice(note.start, note.end);
      const text = noteText(written);
      const isSaid = text !== null && !echo.repeatsTag(written) && !quotedBy(view, note, fences.at(view, note.start));
      if (isSaid && found.length < MOST_NOTES) found.push(text);
    }
  };
}

/** The complete notes that open in a part of a text. One that opens again before it closes starts there. */
function* notesIn(text: string, { from, to }: Pick<ViewPart, "from" | "to">): Generator<Stretch> {
  const token = /<(\/?)note[ \t]{0,4}>/gi;
  token.lastIndex = from;
  let start: number | null = null;
  for (let mark = token.exec(text); mark; mark = token.exec(text)) {
    if (mark.index >= to && start === null) return;
    if (start !== null && mark.index - start > LONGEST_INNER) start = null;
    if (mark[1] === "") start = mark.index < to ? mark.index : null;
    else if (start !== null) {
      yield { start, end: token.lastIndex };
      start = null;
    }
  }
}

/** The note on one line, without secrets; null if it says nothing. */
function noteText(written: string): string | null {
  const inner = written.replace(/^<note[ \t]*>|<\/note[ \t]*>$/gi, "");
  return /[\p{L}\p{N}]/u.test(inner) ? shorten(hideKeys(inner), NOTE_CHARS) : null;
}

/** Whether a stretch is inside a note: what a note says claims nothing. */
export function isInNote({ text }: MessageView, { start, end }: Stretch): boolean {
  const before = text.slice(Math.max(0, start - LONGEST_INNER), start).toLowerCase();
  const opened = before.lastIndexOf("<note");
  if (opened < 0 || before.lastIndexOf("</note") > opened || !/^<note[ \t]{0,4}>/.test(before.slice(opened)))
    return false;
  const next = /<(\/?)note[ \t]{0,4}>/i.exec(text.slice(end, end + LONGEST_INNER));
  return next?.[1] === "/";
}

/** A message without its notes. */
export const withoutNotes = (message: string): string =>
  HINT.test(message)
    ? message.replace(/<note[ \t]{0,4}>(?:(?!<\/?note)[\s\S]){0,4096}<\/note[ \t]{0,4}>/gi, "")
    : message;
