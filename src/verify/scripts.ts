import { statSync } from "node:fs";
import { basename, resolve, sep } from "node:path";

const words = (text: string): Set<string> => new Set(text.split(" "));

/** Programs whose first argument that is no option is the script they run. */
const INTERPRETERS = words(
  "sh bash dash zsh ksh fish node bun deno tsx ts-node python python3 ruby perl php lua Rscript",
);
/** Programs that run the scripts of package.json by name, and the words for doing so. */
const SCRIPT_RUNNERS = words("npm pnpm yarn bun");
const RUN = words("run run-script rum urn");
const NAMED: Readonly<Record<string, string>> = { t: "test", tst: "test" };
/** Programs that run the targets of a file of their own. */
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", ".justfile"],
};
/** Words that stand before the real command. */
const PREFIXES = words("! time exec env command nice sudo timeout npx bunx if then do");

/**
 * What a shell command line runs of the files inside `cwd`, as paths to fingerprint: scripts, makefiles, scripts of
 * package.json. Files that it only reads are the agent's to change.
 */
export const scriptsNamed = (commandLine: string, cwd: string): string[] =>
  commandLine.split(/[;&|()\n]+/).flatMap((simple) => scriptsOf(simple.split(/[\s"']+/).filter(Boolean), cwd));

function scriptsOf(simple: readonly string[], cwd: string): string[] {
  const start = simple.findIndex((word) => !PREFIXES.has(word) && !/^\w+=/.test(word) && !/^\d+[smh]?$/.test(word));
  const [path = "", ...rest] = start === -1 ? [] : simple.slice(start);
  const program = basename(path);
  const [first, second] = rest.filter((word) => !word.startsWith("-"));
  const files = MAKERS[program] ?? [INTERPRETERS.has(program) ? first : path];
  const found = files.filter((file): file is string => file !== undefined && isFileInside(file, cwd));
  return [...found, ...(SCRIPT_RUNNERS.has(program) ? packageScripts(first, second, cwd) : [])];
}

/** `npm test`, `npm run lint`, `yarn lint`: the script itself, and those that run before and after it. */
function packageScripts(first = "", second: string | undefined, cwd: string): string[] {
  const name = RUN.has(first) ? second : (NAMED[first] ?? first);
  if (!name || !isFileInside("package.json", cwd)) return [];
  return ["", "pre", "post"].map((when) => `package.json#scripts.${when}${name}`);
}

function isFileInside(word: string, cwd: string): boolean {
  const path = resolve(cwd, word);
  return path.startsWith(cwd + sep) && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}
