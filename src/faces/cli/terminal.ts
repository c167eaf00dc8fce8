import { createInterface } from "node:readline/promises";
import { EXIT, RalphError } from "../../core/errors.ts";
import { wrapCells } from "./cells.ts";
import type { CliContext } from "./context.ts";

/** Somebody who can be asked. */
export interface Terminal {
  say(text: string): void;
  /** The answer without spaces around it. Throws when the person leaves instead. */
  ask(question: string): Promise<string>;
  close(): void;
}

/** Opens the terminal for questions. Lines typed or pasted ahead wait for theirs. */
export function openTerminal({ shown, process: { stdin, stderr: output } }: CliContext): Terminal {
  const readline = createInterface({ input: stdin, output, terminal: true });
  const lines = readline[Symbol.asyncIterator]();
  readline.on("SIGINT", () => readline.close());
  return {
    say: (text) => void output.write(`${wrapCells(shown(text), output.columns || 80)}\n`),
    async ask(question) {
      readline.setPrompt(shown(question));
      readline.prompt();
      const { done, value } = await lines.next();
      if (!done) return value.trim();
      output.write("\n");
      throw new RalphError("interrupted", "interrupted: nothing was written", { exitCode: EXIT.interrupted });
    },
    close: () => readline.close(),
  };
}
