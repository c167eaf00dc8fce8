import type { Command } from "commander";
import { EXIT } from "../../../core/errors.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { shapesOf } from "../completion/shape.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { print } from "../print.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `ralph completion`. */
export async function completionCommand(program: Command, shell: keyof typeof SCRIPTS): Promise<number> {
  await print(SCRIPTS[shell](shapesOf(program)));
  return EXIT.verified;
}
