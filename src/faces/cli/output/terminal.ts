import { createInterface } from "node:readline/promises";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { wrapCells } from "../../terminal/cells.ts";
import type { Cli } from "../context.ts";

export interface QuestionTerminal {
  say(text: string): void;
  /** The trimmed answer. Throws when the user quits. */
  ask(question: string): Promise<string>;
  close(): void;
}

/** Opens the terminal for questions. Lines typed or pasted ahead wait for theirs. */
export function openTerminal({ shown, process: { stdin, stderr: output } }: Cli): QuestionTerminal {
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
