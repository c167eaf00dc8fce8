import type { Command } from "commander";
import type { Cli } from "../context.ts";

/** What does a command's work; its arguments are those that the command line declares. Returns the exit code if it is not 0. */
type CommandFunction = (cli: Cli, ...given: never[]) => Promise<number> | Promise<void>;

/** Makes a command's action of the function that does its work, which is loaded only when the command runs. */
export type Action = (load: () => Promise<CommandFunction>) => (...given: unknown[]) => Promise<void>;

export const add = (parent: Command, name: string, about: string): Command => parent.command(name).description(about);
