import { statSync } from "node:fs";
import { basename, resolve, sep } from "node:path";

/** Programs whose first argument that is no option is the script they run. */
const INTERPRETERS = new Set(
  "sh bash dash zsh ksh fish node bun deno tsx ts-node python python3 ruby perl php lua Rscript make".split(" "),
);
/** Words that stand before the real command. */
const PREFIXES = new Set([
  "!",
  "time",
  "exec",
  "env",
  "command",
  "nice",
  "sudo",
  "timeout",
  "npx",
  "bunx",
  "if",
  "then",
  "do",
]);

/** The files inside `cwd` that a shell command line runs as scripts; files it only reads are the agent's to change. */
export const scriptsNamed = (commandLine: string, cwd: string): string[] =>
  commandLine.split(/[;&|()\n]+/).flatMap((simple) => scriptOf(simple.split(/[\s"']+/).filter(Boolean), cwd));

function scriptOf(words: readonly string[], cwd: string): string[] {
  const start = words.findIndex((word) => !PREFIXES.has(word) && !/^\w+=/.test(word) && !/^\d+[smh]?$/.test(word));
  const [program = "", ...rest] = start === -1 ? [] : words.slice(start);
  const script = INTERPRETERS.has(basename(program))
    ? rest.find((word) => !word.startsWith("-") && word !== "run")
    : program;
  return script !== undefined && isFileInside(script, cwd) ? [script] : [];
}

function isFileInside(word: string, cwd: string): boolean {
  const path = resolve(cwd, word);
  return path.startsWith(cwd + sep) && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}
