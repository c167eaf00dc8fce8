import { AsyncLocalStorage } from "node:async_hooks";
import { type Command, CommanderError, type OutputConfiguration } from "commander";
import { embedIn, type Surroundings } from "../../adapters/io/environment.ts";
import { namingUpdate } from "../../adapters/io/updated.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import { typedWord } from "../../core/shell.ts";
import { paint } from "../terminal/paint.ts";
import { type Cli, type CliProcess, openContext, ralphCommand } from "./context.ts";
import { endWithTerminal } from "./end-with-terminal.ts";
import type { Action } from "./program/action.ts";
import { withAgentFlags } from "./program/agent-options.ts";
import { unitNotes } from "./program/duration-option.ts";
import { firstSteps } from "./program/groups.ts";
import { otherOption } from "./program/other-options.ts";
import { inKnownWords } from "./program/other-words.ts";
import { buildProgram } from "./program/program.ts";
import { refuseUnquoted } from "./program/unquoted.ts";
import { DEFAULT_COMMAND, OWN_OPTIONS } from "./program/well-known.ts";

const embedded = new AsyncLocalStorage<Surroundings>();
embedIn(() => embedded.getStore());

/** After an interrupt, the maximum wait for what cannot be stopped, such as git in a hook or a blocked reader. */
const PATIENCE_MS = 500;

/** Runs a command line in a process of its own, which exits with its exit code. */
export async function runAndExit(args: readonly string[], own: NodeJS.Process): Promise<void> {
  endWithTerminal(own);
  own.exitCode = await run(args, openContext(own));
  if (own.exitCode === EXIT.interrupted) setTimeout(() => own.exit(), PATIENCE_MS).unref();
}

/**
 * Runs a command line inside another program; resolves to the exit code. Streams, signals and the terminal are passed on
 * as the command's context. The environment and the folder, which started programs inherit, are ambient: passing them
 * would add a parameter to each function between here and the adapters that start git, agents and checks.
 */
export function runCli(args: readonly string[], own: CliProcess): Promise<number> {
  const surroundings = { ...own, env: { ...own.env } };
  return embedded.run(surroundings, () => run(args, openContext(surroundings)));
}

async function run(args: readonly string[], cli: Cli): Promise<number> {
  if (args.length === 0) {
    void cli.print(firstSteps(ralphCommand(cli)));
    return EXIT.verified;
  }
  let exitCode: number = EXIT.verified;
  const action: Action =
    (load) =>
    async (...given) => {
      const command = await load();
      exitCode = (await command(cli, ...(given as never[]))) || EXIT.verified;
    };
  const program = buildProgram(action, helpOutput(cli));
  program.hook("preAction", (_program, command) => {
    if (!command.opts().quiet) for (const note of unitNotes(command)) cli.report(paint("dim", note));
  });
  let words: readonly string[] = args;
  try {
    const typed = withKnownTopic(program, inKnownWords(program, withDefaultCommand(args))).map(withoutName);
    words = withAgentFlags(program, typed);
    refuseUnquotedPrompt(program, typed, cli);
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.verified;
    // A command group without a subcommand: its help was printed.
    if (error instanceof CommanderError && error.code === "commander.help") return EXIT.usage;
    return reportError(
      cli,
      inOurWords(error, otherOptionHint(error, words) ?? helpFor(program, words)),
      args.includes("--json"),
    );
  }
}

/** What follows `--worktree` is not its name, which is optional and may only be given as `--worktree=<name>`. */
const withoutName = (word: string, at: number, words: readonly string[]): string =>
  word === "--worktree" && !words.slice(0, at).includes("--") ? "--worktree=" : word;

const HELP_WIDTH = 80;

const helpOutput = ({ process: { stdout, stderr }, colours }: Cli): OutputConfiguration => ({
  writeOut: (text) => void stdout.write(text),
  writeErr: (text) => void stderr.write(text),
  getOutHelpWidth: () => (stdout.isTTY && stdout.columns) || HELP_WIDTH,
  getErrHelpWidth: () => (stderr.isTTY && stderr.columns) || HELP_WIDTH,
  getOutHasColors: () => colours,
  getErrHasColors: () => colours,
});

function inOurWords(error: unknown, hint: string): unknown {
  if (error instanceof CommanderError) {
    return new RalphError("usage", error.message.replace(/^error: /, ""), { hint });
  }
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd") {
    return new RalphError("folder-missing", "the folder you are in no longer exists", {
      hint: "change to a folder that does",
      cause: error,
    });
  }
  return namingUpdate(error);
}

/** Only `ralph run` takes a text; checked before the options, whose values the words may belong to. */
function refuseUnquotedPrompt(program: Command, [first, ...words]: readonly string[], cli: Cli): void {
  const command = first === DEFAULT_COMMAND ? commandOf(program, first) : undefined;
  if (command) refuseUnquoted(command, words, ralphCommand(cli));
}

/** `ralph --prompt …` and `ralph "Fix the tests"` are `ralph run …`: no command has a space in its name. */
function withDefaultCommand(args: readonly string[]): string[] {
  const [first = ""] = args;
  const isDefault = /^\S+\s+\S/.test(first.trim()) || (first.startsWith("-") && !OWN_OPTIONS.includes(first));
  return isDefault ? [DEFAULT_COMMAND, ...args] : [...args];
}

/** Reports an unknown topic like an unknown command; commander would print the whole help. */
function withKnownTopic(program: Command, words: readonly string[]): string[] {
  const [first, topic] = words;
  const isWrong = first === "help" && topic !== undefined && !topic.startsWith("-") && !commandOf(program, topic);
  return isWrong ? [topic] : [...words];
}

const otherOptionHint = (error: unknown, [command = ""]: readonly string[]): string | null =>
  error instanceof CommanderError ? otherOption(command, error.message) : null;

function helpFor(program: Command, words: readonly string[]): string {
  const [first = "", second = ""] = words;
  const command = commandOf(program, first);
  const isText = words.length > 1 && words.every((word) => !word.startsWith("-"));
  if (!command && isText)
    return `\`ralph --help\` shows the commands; a task is quoted: ralph run ${typedWord(words.join(" "))}`;
  if (!command) return "`ralph --help` shows the commands";
  const one = commandOf(command, second);
  if (one) return `\`ralph ${command.name()} ${one.name()} --help\` shows its options`;
  return `\`ralph ${command.name()} --help\` shows its ${command.commands.length > 0 ? "commands" : "options"}`;
}

const commandOf = (program: Command, name: string): Command | undefined =>
  program.commands.find((command) => command.name() === name);

/** Reports an error of a command that was not parsed. Returns the exit code. */
export const reportFailure = (cli: Cli, error: unknown): number => reportError(cli, inOurWords(error, ""), false);

/** Reports an error: what is wrong and how to fix it, without a stack trace for expected ones. */
function reportError(cli: Cli, error: unknown, json: boolean): number {
  if (!(error instanceof RalphError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (json) cli.printJson({ type: "error", code: "bug", message: text, hint: null });
    cli.report(`ralph: this is a bug, please report it\n${text}`);
    return EXIT.stopped;
  }
  const { code, message, hint, exitCode } = error;
  if (json) cli.printJson({ type: "error", code, message, hint: hint ?? null });
  cli.report(`${paint("red", "error:")} ${message}`);
  if (hint) cli.report(`${paint("dim", "  help:")} ${hint}`);
  return exitCode;
}
