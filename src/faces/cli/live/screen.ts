import { isUtf8 } from "node:buffer";

/** Where the agent's output and Ralph's own lines appear together. */
export interface Terminal {
  out(output: Buffer | string): Promise<void> | undefined;
  err(output: Buffer | string): void;
  /** Null if it cannot show a status line. */
  size(): { columns: number; rows: number } | null;
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
  /** Replaces the status line, or omits it where it could damage the output. */
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
/** Makes sure that there is a line below and moves to its start; the saved position keeps the column. */
const LINE_BELOW = `\u001bD\u001b[A${SAVE}\u001b[B\r`;

export function openScreen(terminal: Terminal): Screen {
  /** The agent's unfinished line. */
  let line = NOTHING;
  let escaped = false;
  let drawn = false;

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
  /** At the start of a line, this also removes an echoed key. */
  const erasing = (): string => {
    const size = terminal.size();
    if (!size) return "";
    if (place(size.columns) === "start") return `\r${CLEAR_BELOW}`;
    return drawn ? CLEAR_BELOW : "";
  };
  const erase = (): void => {
    if (drawn) terminal.err(erasing());
    drawn = false;
  };

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
      terminal.err(`${erasing()}${colours}${apart}${text}\n`);
      [line, escaped, drawn] = [NOTHING, false, false];
    },
    draw(text) {
      const size = terminal.size();
      const at = size && size.rows > 2 && !terminal.isBusy() ? place(size.columns) : "unknown";
      if (at === "unknown" || text === "") return erase();
      // The cursor returns, so that the next output continues there and a wrapped line is erased completely.
      const go = at === "start" ? SAVE : LINE_BELOW;
      terminal.err(`${drawn ? erasing() : ""}${go}${RESET}${text}${RESTORE}`);
      drawn = true;
    },
    erase,
  };
}
