import type { Command } from "commander";
import { EXIT } from "../../../core/errors.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { shapesOf } from "../completion/shape.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { CliContext } from "../context.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `ralph completion`, for the commands of a program. */
export const completionCommand =
  (program: Command) =>
  async (cli: CliContext, shell: keyof typeof SCRIPTS): Promise<number> => {
    await cli.print(SCRIPTS[shell](shapesOf(program)));
    return EXIT.verified;
  };
