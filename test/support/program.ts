import type { Command } from "commander";
import { buildProgram } from "../../src/faces/cli/program/program.ts";

/** The commands of `ralph` with all their options. Nothing runs: a command that is valid returns, any other throws. */
export function programOf(): Command {
  const program = buildProgram(() => async () => undefined, { writeOut: () => undefined, writeErr: () => undefined });
  for (const command of everyCommand(program)) command.exitOverride();
  return program;
}

/** The subcommands that help shows. */
export const visible = (command: Command): Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((sub) => sub.name() !== "help");

/** A command and all its subcommands, hidden ones included. */
export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** What `--help` of a command prints. */
export function helpOf(command: Command): string {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => written.push(text) });
  command.outputHelp();
  return written.join("");
}
