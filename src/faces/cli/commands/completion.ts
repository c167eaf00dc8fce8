import type { Command } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { shapesOf } from "../completion/shape.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { Cli } from "../context.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `ralph completion`, for the commands of a program. */
export const completionCommand =
  (program: Command) =>
  async (cli: Cli, shell: keyof typeof SCRIPTS): Promise<void> => {
    await cli.print(SCRIPTS[shell](shapesOf(program)));
  };
