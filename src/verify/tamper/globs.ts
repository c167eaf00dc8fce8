/// <reference path="./picomatch.d.ts" />

import { join, relative, resolve } from "node:path";
import picomatch from "picomatch";
import { isBelow } from "../../adapters/io/inside.ts";
import { entryAt, isFolderAt } from "../../adapters/io/look.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";
import { RalphError } from "../../core/errors.ts";

const SKIPPED = new Set([".git", "node_modules"]);
const MOST_SEEN = 200_000;
const MOST_FILES = 5_000;
const MOST_MATCHED = 5_000;

/**
 * The files that `protect` names now: plain paths, folders with everything in them, and globs. A glob that starts with
 * `!` excludes files. A glob without a slash matches names in any folder.
 */
export function protectedFiles(root: string, patterns: readonly string[]): string[] {
  const isOut = takenOut(patterns);
  const found = new Set<string>();
  const add = (path: string) => {
    if (isOut(path)) return;
    found.add(path);
    if (found.size > MOST_FILES) throw tooMany(patterns);
  };
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const plain = wanted.filter((pattern) => isThere(root, pattern));
  for (const path of plain) for (const file of filesOf(root, path)) add(file);
  const globs = wanted.filter((pattern) => !plain.includes(pattern) && isGlobInside(pattern, root));
  if (globs.length === 0) return [...found].sort();
  const isIn = matcher(globs);
  const skip = new Set([...SKIPPED].filter((name) => !globs.some((glob) => glob.split("/").includes(name))));
  let seen = 0;
  for (const path of walkFiles(root, "", { skip, most: MOST_SEEN })) {
    seen += 1;
    if (isIn(path)) add(path);
  }
  if (seen >= MOST_SEEN) throw tooMany(globs);
  return [...found].sort();
}

export const takenOut = (patterns: readonly string[]): ((path: string) => boolean) =>
  matcher(patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1)));

/** Globs that match nothing, perhaps by a typo: the user expects something to be protected. */
export function idlePatterns(root: string, patterns: readonly string[]): string[] {
  const out = patterns.filter((pattern) => pattern.startsWith("!"));
  return patterns.filter((pattern) => !out.includes(pattern) && protectedFiles(root, [pattern, ...out]).length === 0);
}

function* filesOf(root: string, given: string): Generator<string> {
  const full = resolve(root, given);
  const path = relative(root, full);
  const isFolder = isFolderAt(full);
  if (!isFolder || entryAt(full)?.isSymbolicLink()) yield path;
  if (!isFolder) return;
  yield* walkFiles(root, path, { skip: new Set([".git"]), most: MOST_SEEN });
}

const isThere = (root: string, path: string): boolean => entryAt(resolve(root, path)) !== undefined;

/** A plain name that does not exist is not a glob: adding the file later is not a change. */
function isGlobInside(pattern: string, root: string): boolean {
  const inside = isBelow(resolve(root, pattern), root);
  if (!isGlob(pattern)) return false;
  if (inside) return true;
  throw new RalphError("protect-outside", `protect: the glob ${pattern} leads out of the folder of the loop`, {
    hint: "globs are for files below it; list files elsewhere one by one",
  });
}

function matcher(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.flatMap((glob) => {
    const clean = glob.replace(/^\.\//, "").replace(/\/+$/, "");
    const anyFolder = !clean.includes("/");
    // A folder means everything in it, which the names of its files do not show.
    return [matcherOf(clean, { anyFolder }), matcherOf(`${anyFolder ? "**/" : ""}${clean}/**`)];
  });
  return (path) => matchers.some((matches) => matches(path));
}

const tooMany = (patterns: readonly string[]): RalphError =>
  new RalphError("protect-too-many", `protect names more than ${MOST_FILES} files: ${patterns.join(", ")}`, {
    hint: "list only the files that decide completion, not the whole tree",
  });

/** Whether a glob matches a path with `/` as separator. Names that start with a dot or contain a newline match. */
export const matcherOf = (glob: string, { anyFolder = false } = {}): ((path: string) => boolean) =>
  picomatch(glob, { dot: true, basename: anyFolder, flags: "s" });

/** The end of a key for the names that match a pattern: a file that is added would be included. */
export const NAMES_AT = "#names";

/** The files that a path with a glob matches now, absolute. Unlike in `protect`, a name is one in the folder. */
export function filesMatching(glob: string, dir: string): string[] {
  const fixed = /^(?:[^*?[\]{}()\\!]*\/)?/.exec(glob)?.[0] ?? "";
  const folder = resolve(dir, fixed);
  const matches = matcherOf(glob.slice(fixed.length));
  const found = [...walkFiles(folder, "", { skip: SKIPPED, most: MOST_MATCHED })].filter((path) => matches(path));
  return found.map((path) => join(folder, path));
}

const isGlob = (text: string): boolean => picomatch.scan(text).isGlob;
