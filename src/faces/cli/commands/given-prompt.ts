import { statSync } from "node:fs";
import { resolve } from "node:path";
import { awaitInput, hasPipedInput } from "../../../adapters/io/piped-input.ts";
import { readText, STDIN } from "../../../adapters/io/text-file.ts";
import { RalphError } from "../../../core/errors.ts";
import { typedWord } from "../../../core/shell.ts";
import { type Cli, ralphCommand } from "../context.ts";

interface PromptOptions {
  prompt?: string;
  promptFile?: string;
}

/** The prompt of a command line: an argument, an option, or standard input if none of them is given. */
export async function givenPrompt(
  cli: Cli,
  [word]: readonly string[],
  { prompt, promptFile }: PromptOptions,
): Promise<PromptOptions> {
  const given = [
    ...(word === undefined ? [] : [word === STDIN ? "on standard input (-)" : "as an argument"]),
    ...(prompt === undefined ? [] : ["with --prompt"]),
    ...(promptFile === undefined ? [] : ["with --prompt-file"]),
  ];
  if (given.length > 1) {
    throw new RalphError("prompt-twice", `the prompt was given twice: ${given.slice(0, 2).join(" and ")}`, {
      hint: "leave out one of them",
    });
  }
  if (word === STDIN || promptFile === STDIN) return { prompt: await standardInputText(cli) };
  if (word !== undefined) return { prompt: refuseFile(cli, word) };
  if (prompt !== undefined) return { prompt };
  if (promptFile !== undefined) return { promptFile };
  if (!(await hasPipedInput())) return {};
  const piped = await standardInputText(cli);
  // A job without a prompt often has an empty pipe as its standard input.
  return piped.trim() === "" ? {} : { prompt: piped };
}

async function standardInputText(cli: Cli): Promise<string> {
  await awaitInput(() => cli.report("reading the prompt from standard input until it ends (Ctrl-D on a terminal)"));
  const hint = "a prompt is plain text or Markdown, in UTF-8";
  return readText({ file: STDIN, cwd: cli.cwd(), what: "prompt", hint });
}

/** `ralph run task.md` means the text in the file: a lone word that is a path is never the prompt. */
function refuseFile(cli: Cli, word: string): string {
  if (word === "" || /\s/.test(word)) return word;
  const found = statSync(resolve(cli.cwd(), word), { throwIfNoEntry: false });
  const run = `${ralphCommand(cli)} run`;
  const asText = `for the word itself: ${run} --prompt ${typedWord(word)}`;
  if (found?.isFile()) {
    throw new RalphError("prompt-file", `the prompt ${word} is the name of a file`, {
      hint: `for the text in it: ${run} --prompt-file ${typedWord(word)}`,
    });
  }
  if (found?.isDirectory()) {
    throw new RalphError("prompt-file", `the prompt ${word} is a folder`, {
      hint: `say what to do, quoted: ${run} "Fix the tests in ${word}"; ${asText}`,
    });
  }
  if (!LIKE_A_FILE.test(word)) return word;
  throw new RalphError("prompt-file", `there is no file ${word}`, {
    hint: `write the prompt into it, then ${run} --prompt-file ${typedWord(word)}; ${asText}`,
  });
}

const LIKE_A_FILE = /^(?:\.{0,2}\/|~)|\.(?:md|markdown|txt)$/i;
