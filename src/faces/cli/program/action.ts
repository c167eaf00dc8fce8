import type { Command } from "commander";
import type { Cli } from "../context.ts";

/** Implements a command with the arguments that it declares. Returns the exit code if it is not 0. */
type CommandFunction = (cli: Cli, ...given: never[]) => Promise<number> | Promise<void>;

/** Creates a command's action. Its implementation is loaded only when the command runs. */
export type Action = (load: () => Promise<CommandFunction>) => (...given: unknown[]) => Promise<void>;

export const add = (parent: Command, name: string, about: string): Command => parent.command(name).description(about);
