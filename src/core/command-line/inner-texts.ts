import type { Command } from "./command.ts";
import { isReader, isShell, nameOf } from "./programs.ts";
import { type Word, wordSet } from "./words.ts";

/** A text that a command runs as a shell command, or may run. */
interface InnerText extends Pick<Command, "source"> {
  text: string;
}

export function innerTexts(all: readonly Word[], words: readonly Word[], documents: readonly string[]): InnerText[] {
  return [...textsIn(all, words), ...scriptsOf(words, documents)];
}

const DECLARES = wordSet("export local readonly declare typeset");

/** Whether a program gives values to variables. */
export const isDeclaration = (program: string): boolean => DECLARES.has(program);

function textsIn(all: readonly Word[], words: readonly Word[]): InnerText[] {
  const [program, ...rest] = words;
  const name = nameOf(program?.text ?? "");
  if (name === "eval") return [{ text: rest.map(sourceOf).join(" "), source: "text" }];
  const own = isShell(name) ? shellText(rest) : undefined;
  if (own) return [{ text: sourceOf(own), source: own.plain ? "line" : "text" }];
  if ((isReader(name) && !isDeclaration(name)) || isShell(name)) return [];
  // An unknown program that starts a shell.
  const shell = all.findIndex(({ text }) => isShell(nameOf(text)));
  const started = shell === -1 ? undefined : shellText(all.slice(shell + 1));
  if (started) return [{ text: sourceOf(started), source: "text" }];
  return all.flatMap((word) => {
    const text = sourceOf(word).replace(/^(?:-S|--[\w-]+=|\w+=)/, "");
    // `env -S "sh check.sh"`, or a variable with a whole command.
    const isCommand = word === program || /^(?:-S|--split-string=)/.test(word.text);
    return /\S\s+\S/.test(word.text) ? [{ text, source: isCommand ? ("text" as const) : ("guess" as const) }] : [];
  });
}

/** The here-documents that a shell runs. */
function scriptsOf([program, ...rest]: readonly Word[], documents: readonly string[]): InnerText[] {
  const runs = isShell(program?.text ?? "") && (rest.some(({ text }) => text === "-s") || rest.every(isOption));
  return runs ? documents.map((text) => ({ text, source: "text" })) : [];
}

const isOption = ({ text }: Word): boolean => text.startsWith("-");

/** The text after `-c`. */
export function shellText(words: readonly Word[]): Word | undefined {
  const option = words.findIndex(({ text }) => /^-\w*c$/.test(text));
  return option === -1 ? undefined : words.slice(option + 1).find((word) => !word.text.startsWith("-"));
}

/** The text of a word for another shell, which expands what this one would. */
const sourceOf = ({ parts }: Word): string =>
  parts
    .map((part) => {
      if (part.is === "text") return part.text;
      if (part.is === "variable") return `\${${part.name}}`;
      return part.is === "output" ? `$(${part.command})` : "$_";
    })
    .join("");
