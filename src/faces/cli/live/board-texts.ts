import { terminalText } from "../../../core/terminal-text.ts";
import type { Texts } from "../../board/reading.ts";
import type { Cli } from "../context.ts";

/** Longer texts are cut: they are for looking at, and the commands print all of them. */
const MOST_CHARS = 4_000_000;

/** What the commands print, as lines for the board. They are loaded when they are first asked for. */
export const textsOf = (cli: Cli): Texts => ({
  why: (id) => linesOf(cli, async (own) => void (await (await import("../commands/why.ts")).whyCommand(own, id, {}))),
  diff: (id) => linesOf(cli, async (own) => (await import("../commands/diff.ts")).diffCommand(own, id, {})),
  stat: (id) => linesOf(cli, async (own) => (await import("../commands/diff.ts")).diffCommand(own, id, { stat: true })),
});

const NO_TERMINAL = { isTTY: { value: false }, fd: { value: undefined } };

/** Runs a command that prints into memory. */
async function linesOf(cli: Cli, command: (cli: Cli) => Promise<void>): Promise<string[]> {
  let text = "";
  const print: Cli["print"] = (output) => {
    if (text.length < MOST_CHARS) text += typeof output === "string" ? output : output.toString("utf8");
    return undefined;
  };
  const printLine: Cli["printLine"] = (line) => print(`${terminalText(line, true)}\n`);
  await command({
    ...cli,
    // Not a terminal: nothing is paged, and git writes no colours of its own.
    process: Object.create(cli.process, { stdout: { value: Object.create(cli.process.stdout, NO_TERMINAL) } }),
    ...{ colours: true, canAsk: false, width: () => Number.POSITIVE_INFINITY },
    ...{ print, printRaw: print, printLine, report: printLine, answer: printLine },
    printWords: (words) => void printLine(words),
    shown: (line) => terminalText(line, true),
  });
  return text.trimEnd().split("\n");
}
