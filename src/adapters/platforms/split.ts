/** A piece of a longer text, with the fences that make it readable by itself. */
export interface MessagePiece {
  /** Reopens the previous piece's code block. */
  open: string;
  text: string;
  /** Closes the code block that continues in the next piece. */
  close: string;
}

/** Splits a text into messages of at most `maxChars`. Blank messages are left out: no platform accepts them. */
export const split = (text: string, maxChars: number): string[] =>
  piecesOf(text, maxChars)
    .map(({ open, text, close }) => open + text + close)
    .filter((message) => message.trim() !== "");

/** Longer code fences are treated as text. */
const MARK_CHARS = 20;
const INFO_CHARS = 20;

interface Fence {
  mark: string;
  line: string;
}

/** Cuts at paragraphs, else lines, else words, and never inside a character. `maxChars` must be at least 100. */
export function piecesOf(text: string, maxChars: number): MessagePiece[] {
  const pieces: MessagePiece[] = [];
  let fence: Fence | null = null;
  for (let at = 0; ; ) {
    const open: string = fence ? `${fence.line}\n` : "";
    const room = maxChars - open.length;
    if (text.length - at <= room) {
      if (at < text.length || at === 0) pieces.push({ open, text: text.slice(at), close: "" });
      return pieces;
    }
    const piece = firstOf(text.slice(at, at + room), fence !== null);
    fence = fenceAfter(piece, fence, at > 0 && text[at - 1] !== "\n");
    pieces.push({ open, text: piece, close: closing(piece, fence) });
    at += piece.length;
  }
}

/** The longest good piece of the window, with room to close a code block. */
function firstOf(window: string, isInBlock: boolean): string {
  const reserve = isInBlock || /```|~~~/.test(window) ? MARK_CHARS + 1 : 0;
  return window.slice(0, cutIn(window.slice(0, window.length - reserve)));
}

const closing = (piece: string, fence: Fence | null): string =>
  fence ? `${piece.endsWith("\n") ? "" : "\n"}${fence.mark}` : "";

/** Where the window is cut: after the last break of the best kind that leaves no tiny piece. */
function cutIn(window: string): number {
  for (const gap of ["\n\n", "\n", " "]) {
    const found = window.lastIndexOf(gap);
    if (found >= window.length / 3) return found + gap.length;
  }
  const last = window.charCodeAt(window.length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return isHalf && window.length > 1 ? window.length - 1 : window.length;
}

/** The code block that is open after a piece. The rest of a line that the previous piece began cannot open one. */
function fenceAfter(piece: string, before: Fence | null, continuesLine: boolean): Fence | null {
  let fence = before;
  for (const line of continuesLine ? piece.split("\n").slice(1) : piece.split("\n")) {
    const [, mark = "", info = ""] = /^ {0,3}(`{3,20}|~{3,20})(?![`~])(.*)$/.exec(line) ?? [];
    if (mark === "") continue;
    if (!fence) fence = info.includes("`") ? null : { mark, line: mark + cleanInfo(info) };
    else if (mark[0] === fence.mark[0] && mark.length >= fence.mark.length && info.trim() === "") fence = null;
  }
  return fence;
}

const cleanInfo = (info: string): string => /^[\w+#.-]*/.exec(info.trim())?.[0].slice(0, INFO_CHARS) ?? "";
