import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Tamper } from "../../core/loop/events.ts";
import { PYTHON_MODULES, spelledOut } from "../../core/tamper/tools.ts";
import { NO_SOURCES } from "../../core/test-files/file-role.ts";
import type { Inventory } from "../test-files/inventory.ts";
import { walkFiles } from "./globs.ts";
import { toolsOf } from "./pins.ts";
import type { Used } from "./referenced-files.ts";
import { readValue } from "./values.ts";

/** Names that must not appear in some folders: files, `folder/file`, or sections of files as `file#section`. */
export interface Absence {
  names: readonly string[];
  folders: readonly string[];
  /** Those that were there at the start. */
  known: readonly string[];
}

const MOST_SEEN = 100_000;
const MOST_FOLDERS = 3_000;

interface Repository {
  root: string;
  tests: Inventory;
}

/** What the called tools would read by themselves in folders that exist, and modules that would replace installed ones. */
export function absencesOf({ commands }: Used, { root, tests }: Repository): Absence[] {
  const tools = toolsOf(commands).map(({ tool }) => tool);
  const nested = [...new Set(tools.flatMap(({ nested = [] }) => nested.flatMap(spelledOut)))];
  const modules = tools.some(({ imports }) => imports === "python") ? PYTHON_MODULES : [];
  const paths = Object.keys(tests);
  const groups = [
    { names: nested, folders: nested.length > 0 ? foldersIn(root) : [] },
    {
      names: modules.flatMap((name) => [`${name}.py`, `${name}/__init__.py`]),
      folders: [
        ...new Set(["", ...paths.filter((path) => path.endsWith(".py")).map((path) => importRoot(root, path))]),
      ],
    },
    {
      names: ["node_modules"],
      folders: foldersOf(paths.filter((path) => /\.[cm]?[jt]sx?$/.test(path))).filter(
        (at) => !existsSync(join(root, at, "package.json")),
      ),
    },
  ];
  return groups
    .filter(({ names, folders }) => names.length > 0 && folders.length > 0)
    .map((group) => ({ ...group, known: present(root, group) }));
}

/** The existing nested files, which are recorded like any other. */
export const nestedFiles = ([nested]: readonly Absence[]): string[] =>
  nested?.names.includes("node_modules") || nested?.names.some((name) => name.includes("/"))
    ? []
    : [...(nested?.known ?? [])];

/** What has appeared since. */
export const appeared = (root: string, absences: readonly Absence[]): Tamper[] =>
  absences.flatMap((absence) => {
    const known = new Set(absence.known);
    return present(root, absence)
      .filter((path) => !known.has(path))
      .map((path) => ({ path, change: "added" }));
  });

const present = (root: string, { names, folders }: Pick<Absence, "names" | "folders">): string[] =>
  folders.flatMap((folder) => {
    const there = namesIn(join(root, folder));
    const found = names.filter((name) => there.has(name.split(/[/#]/)[0] ?? ""));
    return found.map((name) => (folder === "" ? name : `${folder}/${name}`)).filter((path) => isThere(root, path));
  });

const isThere = (root: string, path: string): boolean =>
  path.includes("#") ? readValue(root, path) !== null : existsSync(join(root, path));

function namesIn(folder: string): Set<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set(); // removed since
  }
}

function foldersIn(root: string): string[] {
  const found = new Set<string>();
  for (const path of walkFiles(root, "", { skip: NO_SOURCES, most: MOST_SEEN })) {
    if (found.size < MOST_FOLDERS) for (const folder of foldersOf([path])) found.add(folder);
  }
  return [...found];
}

/** The folders of files and those above, without the root. */
function foldersOf(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) for (let at = dirname(path); at !== "."; at = dirname(at)) found.add(at);
  return [...found];
}

/** The folder that pytest adds to the search path for a test: the first one above that is no package. */
function importRoot(root: string, path: string): string {
  let at = dirname(path);
  while (at !== "." && existsSync(join(root, at, "__init__.py"))) at = dirname(at);
  return at === "." ? "" : at;
}
