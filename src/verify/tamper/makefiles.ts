import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { textAt } from "../../adapters/io/look.ts";
import { goalsIn, recipesFor } from "../../core/command-line/makefile.ts";
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
    for (const name of includesOf(file, args)) {
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

/** What only make knows matches anything, unless nothing else is known of a name. */
function includesOf(file: string, args: readonly string[]): string[] {
  const text = withValues(textAt(file), args);
  return [...text.matchAll(/^[ \t]*(?:[-s]?include|import\??|mod\??)[ \t]+(.+)$/gm)].flatMap(([, rest = ""]) =>
    simplified(rest.replace(/#.*/, ""))
      .replace(/['"]/g, "")
      .trim()
      .split(/\s+/)
      .map((name) => name.replace(/%/g, "*").replace(/\*+/g, "*"))
      .filter((name) => /\w\.?\w/.test(name)),
  );
}

/** The names that common functions lead to. */
function simplified(text: string): string {
  const inner = text
    .replace(/\$[({]dir[ \t]+\$[({]lastword[ \t]+\$[({]MAKEFILE_LIST[)}]{3}/g, "./")
    .replace(/\$[({](?:wildcard|sort|abspath|realpath|strip)[ \t]+([^()${}]*)[)}]/g, "$1")
    .replace(/\$[({]addprefix[ \t]+([^(),${}]*),([^()${}]*)[)}]/g, (_, prefix: string, names: string) =>
      names.trim().replace(/\S+/g, (name) => prefix.trim() + name),
    );
  const plain = inner === text ? text.replace(/\$(?:\([^()]*\)|\{[^{}]*\}|\w)/g, "*") : inner;
  return plain === text ? text : simplified(plain);
}

const MOST_DEEP = 4;
/** Values in values can multiply without end. */
const MOST_ADDED = 4 << 20;

/** A text with the values of the variables that it sets itself, or that are given as arguments. */
function withValues(text: string, args: readonly string[]): string {
  const given = args.flatMap((word) => /^(\w+)[:?]?=(.*)$/.exec(word)?.slice(1, 3) ?? []);
  const values = new Map([
    ["CURDIR", "."],
    ["MAKE", "make"],
  ]);
  for (const [, name = "", value = ""] of text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[:?]*=[ \t]*(.*)$/gm))
    if (!values.has(name)) values.set(name, value.trim());
  for (let i = 0; i < given.length; i += 2) values.set(given[i] ?? "", given[i + 1] ?? "");
  let left = MOST_ADDED;
  const expand = (all: string, name: string) => {
    const value = values.get(name);
    left -= value?.length ?? 0;
    return value === undefined || left < 0 ? all : value;
  };
  let expanded = text;
  for (let deep = 0; deep < MOST_DEEP; deep += 1) expanded = expanded.replace(/\$[({](\w+)[)}]/g, expand);
  return expanded;
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
