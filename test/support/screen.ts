import { type IPty, spawn } from "@lydell/node-pty";
import { type IBufferLine, type IUnicodeVersionProvider, Terminal } from "@xterm/headless";
import stringWidth from "string-width";
import { vi } from "vitest";
import type { Key } from "../../src/faces/terminal/keys.ts";
import { PATIENT } from "./patience.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Size } from "./terminal.ts";

/** How many cells the terminal gives an emoji: `narrow` as old ones do, `wide` as new ones. */
export type Widths = "narrow" | "wide";

interface ScreenOptions {
  size?: Size;
  env?: Record<string, string>;
  widths?: Widths;
}

export interface Cell {
  text: string;
  width: number;
  /** The number of one of the 16 colours; null: the default. */
  colour: number | null;
  bold: boolean;
  dim: boolean;
  inverse: boolean;
}

/** A program on a real terminal, whose screen is read by polling: what has been sent may not have arrived. */
export interface TestScreen {
  /** The lines on the screen, without spaces at their ends. */
  lines(): string[];
  /** Also those that scrolled away. */
  history(): string[];
  /** Everything that was sent to the terminal. */
  printed(): string;
  /** Resolves once the screen shows the text, or matches the pattern. */
  shows(text: string | RegExp): Promise<void>;
  /** Resolves once the screen does not show it any more. */
  hides(text: string | RegExp): Promise<void>;
  /** Resolves once the condition holds for its lines. */
  until(condition: (lines: string[]) => boolean): Promise<void>;
  press(...keys: Key[]): void;
  /** Sends text as it is. */
  type(text: string): void;
  resize(size: Size): void;
  /** Where a text is, counted from 0 in cells; null: nowhere. */
  find(text: string): { row: number; column: number } | null;
  cell(row: number, column: number): Cell;
  modes(): { isAlternate: boolean; marksPastes: boolean; wraps: boolean; hidesCursor: boolean };
  /** Stops and continues reading, as a slow connection does. */
  pause(): void;
  resume(): void;
  /** The terminal disappears, as when its window is closed. */
  hangUp(): void;
  pid: number;
  /** How it ended, once everything that it printed is on the screen. */
  ended: Promise<{ code: number; signal: number | undefined }>;
}

/** `ralph` on its own terminal. */
export const ralphScreen = (box: Sandbox, args: readonly string[], options?: ScreenOptions): TestScreen =>
  openScreen(box, [process.execPath, box.ralphPath, ...args], options);

/** A program of the sandbox on its own terminal. It ends with its test, like all processes of the sandbox. */
export function openScreen(
  box: Sandbox,
  [file = "", ...args]: readonly string[],
  { size = { columns: 80, rows: 24 }, env = {}, widths = "wide" }: ScreenOptions = {},
): TestScreen {
  const { columns: cols, rows } = size;
  const terminal = new Terminal({ cols, rows, allowProposedApi: true, scrollback: 10_000 });
  if (widths === "wide") {
    terminal.unicode.register(WIDE);
    terminal.unicode.activeVersion = WIDE.version;
  }
  const { CI: _, NO_COLOR: __, ...given } = box.env;
  const own = Object.entries({ ...given, TERM: "xterm-256color", ...env }).filter(([, value]) => value !== undefined);
  const pty = spawn(file, args, { cols, rows, cwd: box.cwd, env: Object.fromEntries(own) });
  const reading = readInto(terminal, pty);

  const linesFrom = (first: number) => {
    const { active } = terminal.buffer;
    const all = Array.from({ length: active.length - first }, (_, i) => textOf(active.getLine(first + i)));
    return all.join("\n").trimEnd().split("\n");
  };
  const lines = () => linesFrom(terminal.buffer.active.baseY);
  const history = () => linesFrom(0);
  const until = (condition: (lines: string[]) => boolean) =>
    vi.waitFor(() => {
      if (!condition(lines())) throw new Error(`the screen shows:\n${history().join("\n")}`);
    }, PATIENT);
  const has = (text: string | RegExp, shown: string[]) =>
    typeof text === "string" ? shown.join("\n").includes(text) : text.test(shown.join("\n"));
  return {
    lines,
    history,
    printed: reading.printed,
    until,
    shows: (text) => until((shown) => has(text, shown)),
    hides: (text) => until((shown) => !has(text, shown)),
    press: (...keys) => pty.write(keys.map((key) => BYTES[key] ?? key).join("")),
    type: (text) => pty.write(text),
    resize({ columns, rows }) {
      terminal.resize(columns, rows);
      pty.resize(columns, rows);
    },
    find: (text) => findIn(terminal, text),
    cell: (row, column) => cellOf(terminal, row, column),
    modes: () => ({
      isAlternate: terminal.buffer.active.type === "alternate",
      marksPastes: terminal.modes.bracketedPasteMode,
      wraps: terminal.modes.wraparoundMode,
      hidesCursor: (terminal as unknown as Internals)._core.coreService.isCursorHidden,
    }),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    hangUp: () => (pty as IPty & { destroy(): void }).destroy(),
    pid: pty.pid,
    ended: reading.ended,
  };
}

/** Not part of the interface of the terminal, which has no other way to see it. */
interface Internals {
  _core: { coreService: { isCursorHidden: boolean } };
}

function readInto(terminal: Terminal, pty: IPty): Pick<TestScreen, "ended" | "printed"> {
  let printed = "";
  /** What has arrived but is not on the screen yet. */
  let written = Promise.resolve();
  pty.onData((data) => {
    printed += data;
    written = new Promise((done) => terminal.write(data, done));
  });
  // Questions of the program, such as where the cursor is.
  terminal.onData((answer) => pty.write(answer));
  const ended = new Promise<{ code: number; signal: number | undefined }>((done) => {
    pty.onExit(async ({ exitCode, signal }) => {
      await written;
      done({ code: exitCode, signal });
    });
  });
  return { ended, printed: () => printed };
}

const textOf = (line: IBufferLine | undefined): string => line?.translateToString(true) ?? "";

function findIn(terminal: Terminal, text: string): { row: number; column: number } | null {
  const { active } = terminal.buffer;
  for (let row = 0; row < terminal.rows; row++) {
    const line = active.getLine(active.baseY + row);
    const cells = Array.from({ length: terminal.cols }, (_, i) => line?.getCell(i));
    const starts = cells.flatMap((cell, column) => (cell && cell.getWidth() > 0 ? [{ cell, column }] : []));
    const at = starts.findIndex((_, i) =>
      starts
        .slice(i)
        .map(({ cell }) => cell.getChars() || " ")
        .join("")
        .startsWith(text),
    );
    const found = starts[at];
    if (found) return { row, column: found.column };
  }
  return null;
}

function cellOf(terminal: Terminal, row: number, column: number): Cell {
  const { active } = terminal.buffer;
  const cell = active.getLine(active.baseY + row)?.getCell(column);
  if (!cell) throw new Error(`there is no cell ${column} in row ${row}`);
  return {
    text: cell.getChars(),
    width: cell.getWidth(),
    colour: cell.isFgDefault() ? null : cell.getFgColor(),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}

const VARIATION = 0xfe0f;

/** Widths as new terminals have them; the built-in table is that of old ones, with emoji of one cell. */
const WIDE: IUnicodeVersionProvider = {
  version: "wide",
  wcwidth(code) {
    if (code === VARIATION) return 2;
    const width = code >= 0x20 && code < 0x7f ? 1 : stringWidth(String.fromCodePoint(code));
    return width === 0 ? 0 : width === 1 ? 1 : 2;
  },
  /** The low bit: drawn in the cell before; then two bits: the width. */
  charProperties(code, before) {
    const widthBefore = (before >> 1) & 3;
    const joins = (code === VARIATION || WIDE.wcwidth(code) === 0) && widthBefore > 0;
    const width = joins && code !== VARIATION ? widthBefore : WIDE.wcwidth(code);
    return (width << 1) | (joins ? 1 : 0);
  },
};

/** What a terminal sends for the keys that have names. */
const BYTES: Readonly<Record<string, string>> = {
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  "page-up": "\u001b[5~",
  "page-down": "\u001b[6~",
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  "shift-tab": "\u001b[Z",
  backspace: "\u007f",
  "ctrl-c": "\u0003",
  "ctrl-d": "\u0004",
  "ctrl-l": "\u000c",
  "ctrl-z": "\u001a",
};
