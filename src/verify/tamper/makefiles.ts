import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { textAt } from "../../adapters/io/look.ts";
import { goalsIn, recipesFor } from "../../core/command-line/makefile.ts";
import { includesIn, withValues } from "../../core/command-line/makefile-text.ts";
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

export const isMaker = (program: string): boolean => Object.hasOwn(NAMES, program);

/** What make and similar tools read. */
interface Makefiles {
  /** Relative to `root`, with includes. All usual names: `makefile` overrides `Makefile`. */
  files: string[];
  /** Patterns of includes: a file that matches one is included, too. */
  globs: string[];
}

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
    for (const name of includesIn(textAt(file), args)) {
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

/** The commands of the targets that a command makes, and of those they need. */
export function recipeLines(
  program: string,
  args: readonly string[],
  { dir, root }: { dir: string; root: string },
): string[] {
  if (!/^(?:g?make|just)$/.test(program)) return [];
  const text = readMakefiles(program, args, dir, root)
    .files.map((file) => textAt(resolve(root, file)))
    .join("\n");
  return recipesFor(withValues(text, args), goalsIn(args));
}
