import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { jsonAt, statAt } from "../../adapters/io/look.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";
import type { Use } from "../../core/command-line/use.ts";
import type { Meaning } from "../../core/command-line/values.ts";
import { fieldOf } from "../../core/field.ts";
import { filesMatching, matcherOf } from "./globs.ts";

/** Where the paths in a command are looked up. */
export interface Place {
  /** Folders, the most likely first. */
  dirs: readonly string[];
  /** Other folders that contain modules of Python. */
  modules?: readonly string[];
  /** The root of the checkout. */
  top: string;
}

/** A path inside the checkout, absolute. */
export interface NamedPath {
  path: string;
  is: "file" | "folder" | "absent";
}

const SKIP = new Set(["node_modules", ".git"]);
const MOST_SEEN = 5_000;
const MOST_CHARS = 200;

/** Whether a word names something that exists. */
export const isThere = (meaning: Meaning, place: Place, as: Use["as"] = "path"): boolean =>
  pathsOf(meaning, place).some(({ is }) => is !== "absent") ||
  (as === "node" && pathsOf(meaning, place).some(({ path }) => nodeFiles(path).length > 0));

/** The files and folders that a use leads to. Absent ones decide too, because they would come first. */
export function pathsFor(use: Use, place: Place): NamedPath[] {
  const { as, meaning } = use;
  if (as === "python")
    return [...place.dirs, ...(place.modules ?? [])]
      .flatMap((dir) => pythonFiles(meaning.text, dir))
      .filter(isIn(place));
  const found = pathsOf(meaning, place);
  return found.flatMap((one) => {
    if (as === "node" && one.is !== "file") return nodeFiles(one.path);
    if (one.is !== "folder" || use.role !== "run") return [one];
    return as === "go"
      ? goFiles(one.path)
      : [one, named(join(one.path, "__main__.py"))].filter(({ is }) => is !== "absent");
  });
}

function pathsOf({ text, glob, anywhere }: Meaning, place: Place): NamedPath[] {
  const dirs = anywhere ? [...place.dirs, place.top] : place.dirs;
  if (glob !== null)
    return dirs
      .flatMap((dir) => filesMatching(glob, dir))
      .map(named)
      .filter(isIn(place));
  const spellings = spellingsOf(text);
  for (const spelling of spellings) {
    for (const dir of dirs) {
      const one = named(resolve(dir, spelling));
      if (one.is !== "absent" && isIn(place)(one)) return [one];
    }
    const moved = isAbsolute(spelling) ? movedPath(spelling, place) : null;
    if (moved) return [moved];
  }
  const [dir] = dirs;
  const [first] = spellings;
  if (dir === undefined || first === undefined || !isPathLike(first)) return [];
  return [named(resolve(dir, first))].filter(isIn(place));
}

/** A word, and its parts if it is several, such as `-v=./a:/b`. */
function spellingsOf(text: string): string[] {
  const parts = text.split(/[=:,@]/);
  return parts.length === 1 ? [text] : [...new Set([text, text.replace(/^[^=]*=/, ""), ...parts])].filter(Boolean);
}

/** A path elsewhere, such as in a container, that ends like one of the checkout. */
function movedPath(path: string, { top }: Place): NamedPath | null {
  if (isBelow(path, top) || statAt(path)) return null;
  const names = path.split("/").filter(Boolean);
  for (let i = 1; i < names.length; i++) {
    const one = named(join(top, ...names.slice(i)));
    if (one.is === "file" && isIn({ top })(one)) return one;
  }
  return null;
}

const isPathLike = (text: string): boolean =>
  text.length < MOST_CHARS &&
  /^[\w@.+~/ -]+$/.test(text) &&
  (/[^/]\/[^/]/.test(text) || /(?:^|\w)\.\w{1,8}$/.test(text));

function named(path: string): NamedPath {
  const stats = statAt(path);
  return { path, is: stats?.isDirectory() ? "folder" : stats ? "file" : "absent" };
}

const isIn =
  ({ top }: Pick<Place, "top">) =>
  ({ path }: NamedPath): boolean =>
    isBelow(path, top) &&
    !relative(top, path)
      .split("/")
      .some((name) => SKIP.has(name));

/** The files below a folder, all or those with these names. */
export function filesBelow(folder: string, names: readonly string[] | null = null): string[] {
  const matchers = names?.map((name) => matcherOf(name.replace(/^\*\//, ""), { anyFolder: !name.includes("/") }));
  const found = [...walkFiles(folder, "", { skip: SKIP, most: MOST_SEEN })];
  return found
    .filter((path) => !matchers || matchers.some((matches) => matches(path)))
    .map((path) => join(folder, path));
}

const first = (places: readonly string[]): NamedPath[] => {
  const all = places.map(named);
  const place = all.findIndex(({ is }) => is === "file");
  // What does not exist would come first, if it did.
  return place === -1 ? [] : all.slice(0, place + 1).filter(({ is }) => is !== "folder");
};

const NODE_ENDINGS = [".js", ".json", ".node", ".mjs", ".cjs", ".ts", ".mts"];

/** What `node` runs for a folder, or for a name without its extension. */
function nodeFiles(path: string): NamedPath[] {
  const main = fieldOf(jsonAt(join(path, "package.json")), "main");
  const mains = typeof main === "string" ? ["", ...NODE_ENDINGS].map((end) => join(path, main) + end) : [];
  const manifest = named(join(path, "package.json"));
  const inside = first([...mains, ...NODE_ENDINGS.map((end) => join(path, `index${end}`))]);
  const found = first(NODE_ENDINGS.map((end) => path + end));
  if (found.length > 0) return [named(path), ...found].filter(({ is }) => is !== "folder");
  return inside.length > 0 ? [manifest, ...inside] : [];
}

/** What `python -m` runs, with the packages that are imported before it. */
function pythonFiles(module: string, dir: string): NamedPath[] {
  if (!/^[\w.]+$/.test(module)) return [];
  const path = join(dir, ...module.split("."));
  const parents: NamedPath[] = [];
  for (let at = dirname(path); isBelow(at, dir); at = dirname(at)) parents.push(named(join(at, "__init__.py")));
  const found = statAt(join(path, "__main__.py"))
    ? [named(join(path, "__init__.py")), named(join(path, "__main__.py"))]
    : first([join(path, "__init__.py"), `${path}.py`]);
  return found.length > 0 ? [...parents, ...found] : [];
}

const goFiles = (folder: string): NamedPath[] =>
  filesBelow(folder, ["*.go"])
    .filter((path) => dirname(path) === folder && !basename(path).endsWith("_test.go"))
    .map(named);
