import type { CliContext } from "../context.ts";

/** What does a command's work; its arguments are those that the command line declares. */
type CommandFunction = (cli: CliContext, ...given: never[]) => Promise<number>;

/** Makes a command's action of the function that does its work, which is loaded only when the command runs. */
export type Action = (load: () => Promise<CommandFunction>) => (...given: unknown[]) => Promise<void>;
