import type { Command, Option } from "commander";
import { LISTED, type Listed } from "../program/well-known.ts";

/** What a position of the command line accepts. */
export type ValueKind =
  | { is: "choices"; words: readonly string[] }
  | { is: Listed }
  | { is: "file" }
  /** A program on PATH. */
  | { is: "program" }
  /** It cannot be completed. */
  | { is: "text" };

export interface OptionShape {
  /** `-m` and `--max-iterations`, say. */
  names: string[];
  about: string;
  /** Null for an option without a value. */
  value: ValueKind | null;
}

export interface CommandShape {
  /** The words after `ralph`, joined by spaces; empty for the program itself. */
  path: string;
  commands: { name: string; about: string }[];
  options: OptionShape[];
  arguments: ValueKind[];
}

/** The program and every command in it. Derived from the commands, so that completion is always up to date. */
export function shapesOf(command: Command, path = ""): CommandShape[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const names = commands.map((child) => child.name());
  const own: CommandShape = {
    path,
    commands: commands.map((child) => ({ name: child.name(), about: child.description() })),
    options: help.visibleOptions(command).map(optionShape),
    arguments: command.registeredArguments.map((one) => valueNamed(one.name(), one.argChoices)),
  };
  const below = commands.flatMap((child) => {
    const shapes = shapesOf(child, path === "" ? child.name() : `${path} ${child.name()}`);
    // Commander's own `help [command]`.
    return child.name() === "help" ? shapes.map((shape) => ({ ...shape, arguments: [choices(names)] })) : shapes;
  });
  return [own, ...below];
}

function optionShape(option: Option): OptionShape {
  const takesValue = option.required || option.optional;
  return {
    names: [option.short, option.long].filter((name) => name !== undefined),
    about: option.description,
    value: takesValue ? valueNamed(/[<[]([\w-]+)/.exec(option.flags)?.[1] ?? "", option.argChoices) : null,
  };
}

function valueNamed(name: string, words: readonly string[] | undefined): ValueKind {
  if (words) return choices(words);
  if (isListed(name)) return { is: name };
  if (name === "command") return { is: "program" };
  return ["file", "path", "folder"].includes(name) ? { is: "file" } : { is: "text" };
}

const isListed = (name: string): name is Listed => Object.hasOwn(LISTED, name);

const choices = (words: readonly string[]): ValueKind => ({
  is: "choices",
  words: words.filter((word) => word !== "help"),
});
