import { isUtf8 } from "node:buffer";
import type { Size } from "../../terminal/alternate-screen.ts";

/** Where the agent's output and Ralph's own lines appear together. */
export interface Terminal {
  out(output: Buffer | string): Promise<void> | undefined;
  err(output: Buffer | string): void;
  /** Null if it cannot show a status line. */
  size(): Size | null;
  isBusy(): boolean;
}

/**
 * Shows the agent's output, Ralph's lines, and a status line below them. Any output erases the status line first, so
 * nothing of it stays behind.
 */
export interface Screen {
  /** The agent's output, as it is to be shown. */
  show(output: Buffer | string): Promise<void> | undefined;
  /** The same, on standard error. */
  showAside(output: Buffer): void;
  /** A line of Ralph; it never starts in the middle of a line of the agent. */
  tell(line: string): void;
  /** Replaces the status, of one line or several, or omits it where it could damage the output. */
  draw(text: string): void;
  erase(): void;
}

/** How much of an unfinished line is kept: below a longer one, no status line is drawn. */
const MOST_BYTES = 1_024;
const NOTHING = Buffer.alloc(0);
const SGR = /\u001b\[[\d;:]*m/g;
const CONTROLS = /[\u0000-\u001f\u007f]|\u00c2[\u0080-\u009f]/;

const CLEAR_BELOW = "\u001b[J";
const [SAVE, RESTORE, RESET] = ["\u001b7", "\u001b8", "\u001b[0m"];
const [DOWN, UP] = ["\u001bD", "\u001b[A"];
const NEXT_LINE = "\u001b[B\r";
/** A terminal that knows it shows everything between them at once; others ignore them. */
const [BEGIN_UPDATE, END_UPDATE] = ["\u001b[?2026h", "\u001b[?2026l"];

export function openScreen(terminal: Terminal): Screen {
  /** The agent's unfinished line. */
  let line = NOTHING;
  let escaped = false;
  let status = "";
  /** Null: no status is drawn. */
  let drawn: Size | null = null;

  const note = (output: Buffer | string): void => {
    const end = output.lastIndexOf("\n");
    const before = end === -1 ? line : NOTHING;
    const tail = Buffer.from(output.slice(end + 1, end + 1 + MOST_BYTES - before.length));
    line = Buffer.concat([before, tail]).subarray(0, MOST_BYTES);
    escaped ||= output.includes("\u001b");
  };
  /** `inside` only if the cursor is surely before the margin and in no sequence: a byte takes at most one cell. */
  const place = (columns: number): "start" | "inside" | "unknown" => {
    const visible = line.toString("latin1").replace(SGR, "");
    if (visible === "") return "start";
    const certain = line.length < Math.min(columns, MOST_BYTES) && !CONTROLS.test(visible) && isUtf8(line);
    return certain ? "inside" : "unknown";
  };
  /**
   * At the start of a line, this also removes an echoed key. Echoed line ends have moved the cursor; where a status began
   * is saved, until the terminal moves its lines at a new size.
   */
  const erasing = (): string => {
    const size = terminal.size();
    if (!size) return "";
    const isSaved = drawn?.rows === size.rows && drawn.columns === size.columns;
    const back = isSaved ? RESTORE : "";
    if (place(size.columns) === "start") return `${back}\r${CLEAR_BELOW}`;
    return drawn ? back + CLEAR_BELOW : "";
  };
  const erase = (): void => {
    if (drawn) terminal.err(erasing());
    drawn = null;
  };

  /** The cursor returns, so that the next output continues there and a wrapped line is erased completely. */
  const drawing = (at: "start" | "inside"): string => {
    const lines = status.split("\n");
    const below = lines.length - (at === "start" ? 1 : 0);
    // Makes sure that there are as many lines below; the saved position keeps the column.
    const room = DOWN.repeat(below) + UP.repeat(below);
    const first = at === "start" ? "" : NEXT_LINE;
    return `${room}${SAVE}${first}${lines.map((text) => RESET + text).join(NEXT_LINE)}${RESTORE}`;
  };
  /** In one write: a status of several lines must not be seen half drawn. */
  const update = (text: string): void => terminal.err(status.includes("\n") ? BEGIN_UPDATE + text + END_UPDATE : text);
  const fits = (size: { rows: number } | null): boolean =>
    size !== null && size.rows > status.split("\n").length + 1 && !terminal.isBusy();

  return {
    show(output) {
      if (output.length === 0) return undefined;
      erase();
      note(output);
      return terminal.out(output);
    },
    showAside(output) {
      erase();
      note(output);
      terminal.err(output);
    },
    tell(text) {
      const size = terminal.size();
      const colours = escaped && size ? RESET : "";
      const apart = place(size?.columns ?? 0) === "start" ? "" : "\n";
      const again = drawn && fits(size);
      update(`${erasing()}${colours}${apart}${text}\n${again ? drawing("start") : ""}`);
      drawn = again ? size : null;
      [line, escaped] = [NOTHING, false];
    },
    draw(text) {
      const size = terminal.size();
      status = text;
      const at = size && fits(size) ? place(size.columns) : "unknown";
      if (at === "unknown" || text === "") return erase();
      update(`${drawn ? erasing() : ""}${drawing(at)}`);
      drawn = size;
    },
    erase,
  };
}
