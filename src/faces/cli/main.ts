import { type Command, CommanderError } from "commander";
import { EXIT, RalphError } from "../../core/errors.ts";
import { reportError } from "./errors.ts";
import { buildProgram } from "./program.ts";
import { DEFAULT_COMMAND, OWN_OPTIONS } from "./well-known.ts";

/** Whoever interrupts waits no longer than this for what cannot be ended: a git in a hook, a reader that stands still. */
const PATIENCE_MS = 500;

/** Runs a command line, and ends the process with the exit code of the contract. */
export async function runAndExit(args: readonly string[]): Promise<void> {
  process.exitCode = await run(args);
  if (process.exitCode === EXIT.interrupted) setTimeout(() => process.exit(), PATIENCE_MS).unref();
}

async function run(args: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.verified;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  const words = withKnownTopic(program, withDefaultCommand(args));
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.verified;
    // A group without one of its commands: what it has was told instead.
    if (error instanceof CommanderError && error.code === "commander.help") return EXIT.usage;
    return reportError(inOurWords(error, helpFor(program, words)), args.includes("--json"));
  }
}

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
  return error;
}

/** `ralph --prompt …` is `ralph run --prompt …`. */
function withDefaultCommand(args: readonly string[]): string[] {
  const [first = "--help"] = args;
  const isDefault = first.startsWith("-") && !OWN_OPTIONS.includes(first);
  return isDefault ? [DEFAULT_COMMAND, ...args] : args.length > 0 ? [...args] : [first];
}

/** `ralph help runn` is as wrong as `ralph runn`; left alone it would print the whole help. */
function withKnownTopic(program: Command, words: readonly string[]): string[] {
  const [first, topic] = words;
  const isWrong = first === "help" && topic !== undefined && !topic.startsWith("-") && !commandOf(program, topic);
  return isWrong ? [topic] : [...words];
}

function helpFor(program: Command, [first = "", second = ""]: readonly string[]): string {
  const command = commandOf(program, first);
  if (!command) return "`ralph --help` shows the commands";
  const one = commandOf(command, second);
  if (one) return `\`ralph ${command.name()} ${one.name()} --help\` shows its options`;
  return `\`ralph ${command.name()} --help\` shows its ${command.commands.length > 0 ? "commands" : "options"}`;
}

const commandOf = (program: Command, name: string): Command | undefined =>
  program.commands.find((command) => command.name() === name);
