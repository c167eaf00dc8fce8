import { StringDecoder } from "node:string_decoder";
import { jsonLine, terminalText } from "../../core/terminal-text.ts";
import { wrapCells } from "../terminal/cells.ts";
import type { ProcessEvent, TerminalProcess } from "../terminal/terminal-process.ts";
import { roomIn } from "./output/limited.ts";
import { type Rows, table } from "./output/table.ts";

/** The process that a command runs in: `process` itself, or a replacement passed by another program. */
export interface CliProcess extends TerminalProcess {
  stderr: TerminalProcess["stdout"];
  cwd(): string;
  on(event: ProcessEvent, listener: (signal: NodeJS.Signals) => void): unknown;
  off(event: ProcessEvent, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** Passed to every command: its process, and functions to print. */
export interface Cli {
  process: CliProcess;
  cwd(): string;
  /** Whether colours are shown: on a terminal that supports them, unless NO_COLOR is set. */
  colours: boolean;
  /** Whether the user can be asked. Questions go to standard error, so that standard output has only the result. */
  canAsk: boolean;
  /**
   * Writes to standard output; returns a promise if the reader is slower. A closed pipe is not an error. A terminal gets
   * only text and colours, whatever the output contains.
   */
  print(output: Buffer | string): Promise<void> | undefined;
  /** The same, unchanged also on a terminal: for output that the user wants raw. */
  printRaw(output: Buffer | string): Promise<void> | undefined;
  /** Writes a line to standard output, without its colours if none are shown. */
  printLine(line: string): Promise<void> | undefined;
  /** The same, wrapped between words to the width of the terminal. */
  printWords(text: string): void;
  printJson(value: unknown): void;
  /** Rows in aligned columns, each cut to one line of the terminal. `gives`: the column that is shortened first. */
  printTable(rows: Rows, gives?: number | null): void;
  /** Writes a line to standard error, wrapped like `printWords`. */
  report(line: string): void;
  /** Writes a line after a signal; the terminal may have echoed its key in the middle of a line. */
  answer(line: string): void;
  /** A text as it is shown: without its colours if none are shown, and never with other escape sequences. */
  shown(text: string): string;
  /** The columns of standard output; a file or a pipe has no limit. */
  width(): number;
}

export interface JsonOption {
  json?: boolean;
}

export function openContext(own: CliProcess): Cli {
  const { stdout, stderr, stdin, env } = own;
  const colours = Boolean(stderr.isTTY && stdout.isTTY && !env.NO_COLOR && env.TERM !== "dumb");
  const shown = (text: string) => terminalText(text, colours);
  const width = () => (stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY);
  const room = roomIn(env, () => void stderr.write("… the rest of the output is left out: it is too long\n"));
  const printer = printerTo(stdout);
  const printRaw: Cli["printRaw"] = (output) => (room(output.length) ? printer(output) : undefined);
  const print = stdout.isTTY ? cleaned(printRaw, colours) : printRaw;
  const printLine = (line: string) => print(`${shown(line)}\n`);
  const reportWidth = () => (stderr.isTTY ? stderr.columns || 80 : Number.POSITIVE_INFINITY);
  const report = (line: string) =>
    void (room(line.length) && stderr.write(`${wrapCells(shown(line), reportWidth())}\n`));
  stderr.on("error", () => undefined);
  return {
    process: own,
    cwd: () => own.cwd(),
    colours,
    canAsk: Boolean(stdin.isTTY && stderr.isTTY),
    print,
    printRaw,
    printLine,
    printWords: (text) => void printLine(wrapCells(text, width())),
    printJson: (value) => void print(`${jsonLine(value)}\n`),
    printTable: (rows, gives = null) => void printLine(table(rows, gives, width())),
    report,
    answer: (line) => report(`\n${line}`),
    shown,
    width,
  };
}

/** The one way to a terminal, so that no command can forget to clean what it prints. */
function cleaned(print: Cli["printRaw"], colours: boolean): Cli["print"] {
  const decoder = new StringDecoder("utf8");
  return (output) => print(terminalText(typeof output === "string" ? output : decoder.write(output), colours));
}

function printerTo(stdout: TerminalProcess["stdout"]): Cli["print"] {
  let closed = false;
  /** Shared by all writes until the reader continues or is gone. */
  let held: { free: Promise<void>; resolve: () => void } | null = null;
  const release = () => {
    held?.resolve();
    held = null;
  };
  stdout.on("error", () => {
    closed = true;
    release();
  });
  stdout.on("drain", release);
  return (output) => {
    if (output.length === 0 || closed || stdout.write(output)) return undefined;
    if (!held) {
      let resolve = (): void => undefined;
      const free = new Promise<void>((done) => {
        resolve = done;
      });
      held = { free, resolve };
    }
    return held.free;
  };
}

/** How this program was called, for the commands that it suggests. */
export const ralphCommand = ({ process: { env } }: Cli): string => (env.npm_command === "exec" ? "npx ralph" : "ralph");
