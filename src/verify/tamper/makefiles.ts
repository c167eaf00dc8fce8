import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { recipesFor } from "../../core/command-line/makefile.ts";
import { includesIn, withValues } from "../../core/command-line/makefile-text.ts";
import { statAt } from "./file-state.ts";
import { filesMatching } from "./globs.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"],
  rake: ["rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"],
};
const FILE_OPTION = /^(?:-f|--file|--makefile|--justfile|--taskfile|-t)$/;
const MOST_FILES = 100;
const MOST_BYTES = 1 << 20;

export const isMaker = (program: string): boolean => Object.hasOwn(NAMES, program);

/** What make and similar tools read. */
export interface Makefiles {
  /** Relative to `root`, with includes. All usual names: `makefile` overrides `Makefile`. */
  files: string[];
  /** Patterns of includes: a file that matches one is included, too. */
  globs: string[];
}

export const makefilesOf = (program: string, args: readonly string[], dir: string, root: string): string[] =>
  readMakefiles(program, args, dir, root).files;

export function readMakefiles(program: string, args: readonly string[], dir: string, root: string): Makefiles {
  const given = args.flatMap((word, i) => {
    const joined = /^(?:-f|--(?:make|just|task)?file=)(.+)$/.exec(word)?.[1];
    return joined ?? (FILE_OPTION.test(args[i - 1] ?? "") ? word : []);
  });
  const named = given.map((file) => resolve(dir, file));
  const usual = (NAMES[program] ?? []).map((name) => resolve(dir, name));
  const first = named.length > 0 ? named : usual.some((file) => existsSync(file)) ? usual : [];
  const [found, globs] = [new Set<string>(), new Set<string>()];
  const waiting = [...first];
  for (let file = waiting.pop(); file !== undefined && found.size < MOST_FILES; file = waiting.pop()) {
    if (found.has(file) || !isBelow(file, root)) continue;
    found.add(file);
    for (const name of includesIn(textOf(file), args)) {
      if (/[*?]/.test(name)) {
        globs.add(relative(root, resolve(dir, name)));
        waiting.push(...filesMatching(name, dir));
      } else waiting.push(...includedAt(name, file, dir));
    }
  }
  return { files: [...found].map((file) => relative(root, file)).sort(), globs: [...globs].sort() };
}

/** Make resolves from its working folder, just from the file's folder. */
function includedAt(name: string, file: string, dir: string): string[] {
  const places = [resolve(dir, name), resolve(dirname(file), name)];
  const there = places.filter((path) => existsSync(path));
  // A file that is not there yet would be included later. Generated lists of dependencies appear by themselves.
  return there.length > 0 || /\.(?:d|dep|depend|P|Po)$|(?:^|\/)\.depend/.test(name) ? there : places.slice(0, 1);
}

function textOf(file: string): string {
  const stats = statAt(file);
  return stats?.isFile() && stats.size <= MOST_BYTES ? readFileSync(file, "utf8") : "";
}

/** The commands of the targets that a command makes, and of those they need. */
export function recipeLines(
  program: string,
  args: readonly string[],
  { dir, root }: { dir: string; root: string },
): string[] {
  if (!/^(?:g?make|just)$/.test(program)) return [];
  const text = makefilesOf(program, args, dir, root)
    .map((file) => textOf(resolve(root, file)))
    .join("\n");
  const targets = args.filter(
    (word, i) => /^[\w.%/-]+$/.test(word) && !/^-/.test(word) && !/^-[fCIoWj]$/.test(args[i - 1] ?? ""),
  );
  return recipesFor(withValues(text, args), targets);
}
