import { basename, dirname, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { isTestFile } from "../test-files/file-role.ts";
import { statAt } from "./file-state.ts";
import { makefilesOf } from "./makefiles.ts";
import { calledScripts, scriptTexts } from "./package-scripts.ts";
import { type SimpleCommand, simpleCommands, wordSet } from "./simple-commands.ts";
import { TOOLS } from "./tools.ts";

export interface Line {
  command: string;
  dir: string;
}

/** What command lines use, as far as their text shows. Paths are relative to the loop's folder. */
export interface Used {
  files: Set<string>;
  /** Scripts of package.json, as `package.json#scripts.test`. */
  values: Set<string>;
  /** Every simple command, including those in scripts of package.json. */
  commands: SimpleCommand[];
}

/** Programs whose first non-option argument is the script they run. */
const INTERPRETERS = wordSet(
  "sh bash dash zsh ksh fish node bun deno tsx ts-node python python3 ruby perl php lua Rscript",
);
/** Options that make an interpreter run no file: a text, a module, or only a syntax check. */
const SCRIPTLESS: readonly [ReadonlySet<string>, RegExp][] = [
  [wordSet("sh bash dash zsh ksh"), /^-[a-z]*[cn]$/],
  [wordSet("node bun deno tsx ts-node"), /^(?:-e|-p|-c|-pe|--eval|--print|--check)$/],
  [wordSet("python python3"), /^-[bBdEiIOqsSuvx]*[cm]/],
  [wordSet("ruby perl"), /^-[wnpliaT]*[ce]$/],
  [wordSet("php"), /^-[lr]$/],
];
const MAKERS = wordSet("make gmake just");
/** Options whose value is a file that is run too. */
const LOADERS = wordSet("--import --require -r --loader --experimental-loader -f --file");
/** Options of runners, compilers and linters whose value is their configuration. */
const CONFIG_OPTIONS = wordSet("--config -c --project -p --configuration --rcfile --config-file");
const MOST_DEEP = 6;

export function usedBy(lines: readonly Line[], root: string): Used {
  const used: Used = { files: new Set(), values: new Set(), commands: [] };
  let next: readonly Line[] = lines;
  for (let deep = 0; deep < MOST_DEEP && next.length > 0; deep += 1) {
    const simple = next.flatMap(({ command, dir }) => simpleCommands(command, dir));
    used.commands.push(...simple);
    for (const command of simple) for (const file of filesOf(command, root)) used.files.add(file);
    next = simple.flatMap((command) => [...innerLines(command), ...scriptLines(command, root, used.values)]);
  }
  return used;
}

function scriptLines(command: SimpleCommand, root: string, seen: Set<string>): Line[] {
  const fresh = scriptTexts(calledScripts(command), command.dir, root).filter(({ key }) => !seen.has(key));
  return fresh.flatMap(({ key, text }) => {
    seen.add(key);
    return text === null ? [] : [{ command: text, dir: resolve(root, dirname(key.split("#")[0] ?? "")) }];
  });
}

/** `sh -c "npm test"`: the argument is a command line. */
function innerLines({ words, dir }: SimpleCommand): Line[] {
  const [program = "", ...rest] = words;
  const place = INTERPRETERS.has(basename(program)) ? rest.findIndex((word) => /^-\w*c$/.test(word)) : -1;
  return place === -1 ? [] : [{ command: rest.slice(place + 1).join(" "), dir }];
}

/** The files inside `root` that a simple command runs. The agent may change files that it only reads. */
function filesOf({ words, dir }: SimpleCommand, root: string): string[] {
  const [path = "", ...rest] = words;
  const program = basename(path);
  if (MAKERS.has(program)) return makefilesOf(program, rest, dir, root);
  const inside = (word: string | undefined) => (word === undefined ? null : fileInside(word, dir, root));
  const configs = words.some((word) => isTool(basename(word))) ? configsOf(rest) : [];
  const found = configs.flatMap((word) => inside(word) ?? []);
  if (!INTERPRETERS.has(program)) return [...found, ...(path.includes("/") ? [inside(path) ?? []].flat() : [])];
  const loaded = rest.filter((_, i) => LOADERS.has(rest[i - 1] ?? ""));
  const script = scriptOf(program, rest, (word) => !loaded.includes(word) && inside(word) !== null);
  // Test files given to a runner are watched instead: tests may be added to them.
  const named = script !== undefined && rest.includes("--test") && isTestFile(script) ? loaded : [...loaded, script];
  return [...found, ...named.flatMap((word) => inside(word) ?? [])];
}

const isTool = (name: string): boolean => Object.hasOwn(TOOLS, name);

const configsOf = (words: readonly string[]): string[] =>
  words.flatMap((word, i) => {
    const [option = "", value] = word.split("=");
    return CONFIG_OPTIONS.has(option) ? (value ?? words[i + 1] ?? []) : [];
  });

/** The file that an interpreter runs. After a text or module, files are only arguments and may be the work itself. */
function scriptOf(program: string, rest: readonly string[], isFile: (word: string) => boolean): string | undefined {
  const place = rest.findIndex((word) => !word.startsWith("-") && isFile(word));
  const [, without] = SCRIPTLESS.find(([programs]) => programs.has(program)) ?? [];
  const runsNone = without !== undefined && rest.slice(0, place).some((word) => without.test(word));
  return place === -1 || runsNone ? undefined : rest[place];
}

function fileInside(word: string, dir: string, root: string): string | null {
  const full = resolve(dir, word);
  if (!isBelow(full, root) || full.split("/").includes("node_modules")) return null;
  return statAt(full)?.isFile() ? relative(root, full) : null;
}
