import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { homeFolder, temporaryFolder } from "../../adapters/io/environment.ts";
import { findOnPath } from "../../adapters/io/find-on-path.ts";
import { foldersUpTo, isBelow } from "../../adapters/io/inside.ts";
import { entryAt, jsonAt, statAt, textAt } from "../../adapters/io/look.ts";
import { fieldOf } from "../../core/field.ts";
import { TOOLS } from "../../core/tamper/tools.ts";
import { openLook } from "./file-state.ts";
import type { UsedCommand } from "./referenced-files.ts";

const PROGRAM = "program ";
const BIN = "node_modules/.bin";
const NODE_RUN = new Set(["npm", "npx", "pnpm", "yarn"]);
/** Larger files are identified by size and time: they are compiled programs and would be read at every verdict. */
const MOST_READ_BYTES = 4 << 20;

const AT = "at ";

/** The key for the location of a program, without its content: agents update themselves while in use. */
export const placeKey = (name: string): string => PROGRAM + AT + name;

const HOME = "~/";

/** The key for the lines of a user's file that decide. */
export const homeKey = (file: string): string => PROGRAM + HOME + file;

export const isProgram = (key: string): boolean => key.startsWith(PROGRAM);

/** The key for a file that npm would start instead of a program on PATH, and that does not exist. */
const FIRST = "found first: ";

/** The programs that commands start: those on PATH, those of installed packages, and what npm would prefer to them. */
export function programsOf(commands: readonly UsedCommand[], root: string): string[] {
  const started = commands.flatMap(({ words, before }) => [...before, words[0] ?? ""]);
  const byNode = started.some((program) => NODE_RUN.has(basename(program)));
  const onPath = new Set(commands.length > 0 ? ["sh", ...(byNode ? ["node"] : []), ...started] : []);
  const installed = new Set(
    commands.flatMap(({ words, dir }) => words.flatMap((word) => installedAs(word, dir, root))),
  );
  const found = [...onPath].filter((name) => /^[\w.+-]+$/.test(name) && findOnPath(name, root) !== null);
  const preferred = byNode ? found.flatMap((name) => absentBins(name, commands, root)) : [];
  return [...found, ...installed, ...preferred.map((path) => FIRST + path)].map((name) => PROGRAM + name);
}

/** npm searches the packages of every folder above, also outside the checkout, before it searches PATH. */
function absentBins(name: string, commands: readonly UsedCommand[], root: string): string[] {
  const folders = new Set(commands.flatMap(({ dir }) => [...foldersUpTo(dir, "/")]));
  return [...folders].map((at) => join(at, BIN, name)).flatMap((path) => (entryAt(path) ? [] : relative(root, path)));
}

/** Null if there is none, or if a package that the project depends on provides it. */
function preferredState(path: string): string | null {
  const state = installedState(path);
  return state === null || isProvided(basename(path), dirname(dirname(path))) ? null : state;
}

/** Whether a dependency of the project has a program of this name. */
function isProvided(name: string, modules: string): boolean {
  const manifest = jsonAt(join(dirname(modules), "package.json"));
  const fields = ["dependencies", "devDependencies", "optionalDependencies"];
  const packages = fields.flatMap((field) => Object.keys(Object(fieldOf(manifest, field))));
  return packages.some((one) => {
    const bin = fieldOf(jsonAt(join(modules, one, "package.json")), "bin");
    return typeof bin === "string" ? basename(one) === name : fieldOf(bin, name) !== undefined;
  });
}

function installedAs(word: string, dir: string, root: string): string[] {
  if (word.includes("/")) return word.includes(`${BIN}/`) ? [relative(root, resolve(dir, word))] : [];
  const found: string[] = [];
  if (!/^[\w.-]+$/.test(word)) return found;
  for (const at of foldersUpTo(dir, root)) {
    const path = join(at, BIN, word);
    if (entryAt(path)) found.push(relative(root, path));
  }
  return found;
}

/** The file of a program, with its digest if it is in a folder of the user; null if there is none. */
export function programState(key: string, root: string): string | null {
  const name = key.slice(PROGRAM.length);
  if (name.startsWith(AT)) return findOnPath(name.slice(AT.length), root);
  if (name.startsWith(HOME)) return homeLines(name.slice(HOME.length));
  if (name.startsWith(FIRST)) return preferredState(join(root, name.slice(FIRST.length)));
  if (name.includes("/")) return installedState(join(root, name));
  const path = findOnPath(name, root);
  if (path === null) return null;
  return isExposed(path, root) ? `${path} (${digest(path)})` : path;
}

/** Logins and registries may change. Null without a line that decides. */
function homeLines(file: string): string | null {
  const forms = Object.values(TOOLS).flatMap(({ home = [] }) =>
    home.flatMap(([name, form]) => (name === file ? form : [])),
  );
  const lines = textAt(join(homeFolder(), file))
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*[#;]/.test(line));
  return lines.filter((line) => forms.some((form) => form.test(line.trim()))).join("\n") || null;
}

/** The target of a symlink is enough: the target's content changes with the package version. */
function installedState(path: string): string | null {
  const kind = entryAt(path);
  if (!kind) return null;
  return kind.isSymbolicLink() ? `symlink to ${readlinkSync(path)}` : `file ${digest(path)}`;
}

function isExposed(path: string, root: string): boolean {
  try {
    const real = realpathSync(path);
    const folders = [root, homeFolder(), temporaryFolder()].filter((folder) => folder !== "/");
    return [path, real].some((file) => folders.some((folder) => isBelow(file, folder)));
  } catch {
    return true;
  }
}

function digest(path: string): string {
  const stats = statAt(path);
  if (stats && stats.size > MOST_READ_BYTES) return `${stats.size} bytes of ${new Date(stats.mtimeMs).toISOString()}`;
  const { sha } = openLook(dirname(path)).state(basename(path));
  return sha?.slice(0, 12) ?? "unreadable";
}
