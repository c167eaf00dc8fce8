import { type MessageView, startsLine, type ViewPart } from "./view.ts";

/** A fenced code block that is open at some point of a message; offsets are into the iteration's text. */
export interface CodeFence {
  mark: string;
  /** Where its opening line starts, and where its content starts. */
  start: number;
  content: number;
}

const MARKS = ["```", "~~~"];
const DEEPEST_INDENT = 12;

interface FenceLine {
  mark: string;
  info: string;
  start: number;
  end: number;
}

/** Follows the fences of a message block by block: `at` is the one open at an offset; offsets must ascend. */
interface FenceTracker {
  read(view: MessageView, part: ViewPart): void;
  at(view: MessageView, offset: number): CodeFence | null;
}

/** A tracker for one message. Text without fence marks costs it two searches. */
export function fenceTracker(): FenceTracker {
  let open: CodeFence | null = null;
  let ahead: FenceLine[] = [];

  function pass(line: FenceLine): void {
    if (!open) open = { mark: line.mark, start: line.start, content: line.end };
    else if (closes(open, line)) open = null;
  }

  return {
    read(view, { from, to, glance }) {
      for (const line of ahead) pass(line);
      ahead = MARKS.some((mark) => glance.includes(mark)) ? [...fenceLines(view, from, to)] : [];
    },
    at(view, offset) {
      const passed = ahead.findIndex((line) => line.start >= view.base + offset);
      for (const line of ahead.splice(0, passed < 0 ? ahead.length : passed)) pass(line);
      return open;
    },
  };
}

/** The position of the fence's closing line after an offset of the view; null if it stays open in the view. */
export function fenceEnd(view: MessageView, fence: CodeFence, from: number): { start: number; end: number } | null {
  for (const line of fenceLines(view, from, view.text.length)) {
    if (closes(fence, line)) return line;
  }
  return null;
}

function closes(fence: CodeFence, line: FenceLine): boolean {
  return line.mark.startsWith(fence.mark) && line.info.trim() === "";
}

function* fenceLines({ text, base }: MessageView, from: number, to: number): Generator<FenceLine> {
  const marks = /`{3,}|~{3,}/g;
  marks.lastIndex = from;
  for (let found = marks.exec(text); found && found.index < to; found = marks.exec(text)) {
    const [mark] = found;
    if (!startsLine(text, found.index, DEEPEST_INDENT)) continue;
    const info = /[^\n]*\n?/y;
    info.lastIndex = marks.lastIndex;
    const rest = info.exec(text)?.[0] ?? "";
    // A backtick after the marks makes the line inline code, not a fence.
    if (mark.startsWith("`") && rest.includes("`")) continue;
    marks.lastIndex += rest.length;
    yield { mark, info: rest, start: base + found.index, end: base + marks.lastIndex };
  }
}
