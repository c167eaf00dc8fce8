import type { Command } from "commander";
import { RalphError } from "../../../core/errors.ts";
import { typedWord } from "../../../core/shell.ts";
import { type Operand, readTyped } from "./typed-words.ts";

/** Options whose text is often typed without its quotes. */
const TEXTS = ["--prompt", "--verify", "--completion-response"];

/**
 * Refuses words that lack quotes, with the whole command as it was probably meant: `--verify npm test` leaves `test`
 * over, and `ralph run fix the tests` is not one prompt. `words` follow the command's name.
 */
export function refuseUnquoted(command: Command, words: readonly string[], ralph: string): void {
  const { operands, unknown, end } = readTyped(words, command);
  // Commander reports an unknown option, with a suggestion.
  if (unknown.length > 0) return;
  const typed = `${ralph} ${command.name()}`;
  if (end !== null && operands.length === 0) refuseAfterDashes(words, end, typed);
  refuseSeparateName(words, operands, typed);
  const left = operands.filter(isLeftOver);
  const prompt = operands.filter((operand) => !isLeftOver(operand));
  const after = left[0]?.after;
  if (!after && prompt.length < 2) return;
  if (after?.name === "--scope") {
    throw new RalphError("unquoted", `${list(left)} after --scope ${after.value}: --scope takes one glob`, {
      hint: "quote the glob, so that the shell does not expand it, or repeat --scope for every path",
    });
  }
  const corrected = `${typed} ${corrections(words, left, prompt)}`;
  const what = after
    ? `${list(left)} after ${after.name} ${after.value}`
    : `the prompt is one argument, and ${prompt.length} were given`;
  throw new RalphError("unquoted", what, { hint: `quote it: ${corrected}` });
}

const PROMPTS = /^(?:-p|--prompt|--prompt-file)(?:=|$)/;

/** `-- "Fix the tests"` is a flag for the agent, not the prompt. */
function refuseAfterDashes(words: readonly string[], end: number, typed: string): void {
  const [first = "", ...more] = words.slice(end + 1);
  const own = words.slice(0, end);
  if (first.startsWith("-") || !/\s/.test(first) || own.some((word) => PROMPTS.test(word))) return;
  const flags = more.length > 0 ? ["--", ...more] : [];
  throw new RalphError("usage", `what follows -- is a flag for the agent, so ${typedWord(first)} is not the prompt`, {
    hint: `give the prompt before it: ${[typed, ...[first, ...own, ...flags].map(typedWord)].join(" ")}`,
  });
}

/** What `--worktree` becomes without a name. */
const NAMELESS = "--worktree=";

/** `--worktree fix`: its name is only taken after `=`. One other text is the prompt. */
function refuseSeparateName(words: readonly string[], operands: readonly Operand[], typed: string): void {
  const name = operands.find(({ text, at }) => words[at - 1] === NAMELESS && !/\s/.test(text));
  if (!name) return;
  const [other, ...more] = operands.filter((one) => one !== name);
  const hasPrompt = other ? more.length === 0 && /\s/.test(other.text) : words.some((word) => PROMPTS.test(word));
  if (!hasPrompt) return;
  const corrected = words.flatMap((word, at) => {
    if (at === name.at) return [];
    return [at === name.at - 1 ? `${NAMELESS}${name.text}` : word];
  });
  throw new RalphError("usage", `${name.text} after --worktree is not its name`, {
    hint: `the name follows =: ${[typed, ...corrected.map(typedWord)].join(" ")}`,
  });
}

/** A plain word directly after an unquoted text. A space in one of the two means that quotes were used. */
function isLeftOver({ text, after }: Operand): boolean {
  if (!after || /\s/.test(text) || /\s/.test(after.value)) return false;
  return TEXTS.includes(after.name) || after.name === "--scope";
}

const list = (operands: readonly Operand[]): string => {
  const [first, ...more] = operands.map(({ text }) => text);
  return `unexpected ${[first, ...more].join(" ")}`;
};

/** The words with the operands joined to their option, or to one prompt. */
function corrections(words: readonly string[], left: readonly Operand[], prompt: readonly Operand[]): string {
  const joined = new Map<number, string>(words.map((word, at) => [at, word]));
  for (const { text, at, after } of left) {
    joined.delete(at);
    if (after) joined.set(after.at, `${joined.get(after.at)} ${text}`);
  }
  const [first, ...more] = prompt;
  for (const { at } of more) joined.delete(at);
  if (first) joined.set(first.at, prompt.map(({ text }) => text).join(" "));
  return [...joined.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, word]) => typedWord(word === NAMELESS ? "--worktree" : word))
    .join(" ");
}
