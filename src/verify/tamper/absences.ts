import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { homeFolder } from "../../adapters/io/environment.ts";
import { foldersUpTo, isBelow } from "../../adapters/io/inside.ts";
import { namesIn } from "../../adapters/io/look.ts";
import { stateFolder } from "../../adapters/io/state-folder.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";
import type { Tamper } from "../../core/loop/events.ts";
import { FOUND_ABOVE, PYTHON_MODULES, spelledOut, TOOLS } from "../../core/tamper/tools.ts";
import { isTestFile, NO_SOURCES } from "../../core/test-files/file-role.ts";
import { roomsPath } from "../rooms/room-folder.ts";
import type { Inventory } from "../test-files/inventory.ts";
import { type PinnedFiles, toolsOf } from "./pins.ts";
import type { Used } from "./referenced-files.ts";
import { readValue } from "./values.ts";

/** Names that must not appear in some folders (of the loop's, or absolute): files, `folder/file`, or sections of files as `file#section`. */
export interface Absence {
  names: readonly string[];
  folders: readonly string[];
  /** Those that were there at the start. */
  known: readonly string[];
  /** Whether those are recorded like any other configuration. */
  recorded?: boolean;
}

const MOST_SEEN = 100_000;
const MOST_FOLDERS = 3_000;

interface Surroundings {
  root: string;
  tests: Inventory;
  /** Whether a path is the agent's to add. */
  isFree(path: string): boolean;
}

type Group = Omit<Absence, "known">;

/** What tools would read by themselves in folders that exist, and modules that would replace installed ones. */
export function absencesOf({ commands, files }: Used, { root, tests, isFree }: Surroundings): Absence[] {
  if (commands.length === 0) return [];
  const tools = toolsOf(commands).map(({ tool }) => tool);
  const nested = namesOf(tools.flatMap(({ nested = [] }) => nested));
  const modules = tools.some(({ imports }) => imports === "python") ? PYTHON_MODULES : [];
  const paths = [...Object.keys(tests), ...files].filter((path) => isBelow(resolve(root, path), root));
  const above = foldersAbove(root);
  const importRoots = paths.filter((path) => path.endsWith(".py")).map((path) => importRoot(root, path));
  const groups: Group[] = [
    { names: nested, folders: nested.length > 0 ? foldersIn(root) : [], recorded: true },
    { names: anyConfiguration(), folders: above, recorded: true },
    {
      names: modules.flatMap((name) => [`${name}.py`, `${name}/__init__.py`]),
      folders: ["", ...importRoots],
    },
    {
      // A module beside a test comes before that of the project.
      names: modules.length > 0 ? modulesIn(root).flatMap((name) => [`${name}.py`, `${name}/__init__.py`]) : [],
      folders: importRoots.filter((folder) => !SOURCE_ROOTS.includes(folder)),
    },
    {
      names: ["node_modules"],
      folders: [
        ...above,
        ...foldersOf(paths.filter((path) => /\.[cm]?[jt]sx?$/.test(path))).filter(
          (at) => !existsSync(join(root, at, "package.json")),
        ),
      ],
    },
  ];
  const ofUser = new Set(
    Object.values(TOOLS).flatMap(({ home = [] }) => home.map(([file]) => join(homeFolder(), file))),
  );
  return groups
    .map((group) => ({ ...group, folders: [...new Set(group.folders)] }))
    .flatMap((group) => withoutFree(group, (path) => isFree(path) || ofUser.has(resolve(root, path))))
    .filter(({ names, folders }) => names.length > 0 && folders.length > 0)
    .map((group) => ({ ...group, known: present(root, group) }));
}

/** Most folders lose no name or all of them; only the others need a group of their own. */
function withoutFree({ names, folders, ...rest }: Group, isFree: (path: string) => boolean): Group[] {
  const groups = folders.map((folder) => ({
    ...rest,
    names: names.filter((name) => !isFree(join(folder, fileOf(name)))),
    folders: [folder],
  }));
  const isWhole = (group: Group) => group.names.length === names.length;
  return [
    { ...rest, names, folders: groups.filter(isWhole).flatMap((group) => group.folders) },
    ...groups.filter((group) => !isWhole(group)),
  ];
}

/** The folders above the checkout and above its clean rooms, absolute: tools search them for what the project lacks. */
const foldersAbove = (root: string): string[] =>
  [dirname(checkoutRoot(root) ?? root), roomsPath(stateFolder(root), root)].flatMap((folder) => [
    ...foldersUpTo(folder, "/"),
  ]);

/** Of every tool, also of those that the checks are not seen to call: nothing of the project is above its checkout. */
const anyConfiguration = (): string[] =>
  namesOf([
    ...Object.values(TOOLS).flatMap((tool) =>
      [tool.files, tool.reads, tool.versions, tool.sections].flatMap((some) => some ?? []),
    ),
    ...FOUND_ABOVE,
  ]);

const namesOf = (patterns: readonly string[]): string[] => [...new Set(patterns.flatMap(spelledOut))];

/** The configuration that was there. */
export function recordedOf(absences: readonly Absence[]): PinnedFiles {
  const known = absences.flatMap((absence) => (absence.recorded ? absence.known : []));
  const isValue = (path: string) => path.includes("#");
  return { files: known.filter((path) => !isValue(path)), values: known.filter(isValue) };
}

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
    const there = new Set(namesIn(resolve(root, folder)));
    const found = names.filter((name) => there.has(fileOf(name).split("/")[0] ?? ""));
    return found.map((name) => join(folder, name)).filter((path) => isThere(root, path));
  });

const fileOf = (name: string): string => name.split("#")[0] ?? "";

const isThere = (root: string, path: string): boolean =>
  path.includes("#") ? readValue(root, path) !== null : existsSync(resolve(root, path));

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

const SOURCE_ROOTS = ["", "src", "lib"];

/** The modules of the project at the places from which its tests import them. */
const modulesIn = (root: string): string[] =>
  SOURCE_ROOTS.flatMap((folder) =>
    [...namesIn(join(root, folder))].flatMap((name) => {
      if (name.endsWith(".py")) return isTestFile(name) ? [] : [name.slice(0, -3)];
      return existsSync(join(root, folder, name, "__init__.py")) ? [name] : [];
    }),
  );

/** The folder that pytest adds to the search path for a test: the first one above that is no package. */
function importRoot(root: string, path: string): string {
  let at = dirname(path);
  while (at !== "." && existsSync(join(root, at, "__init__.py"))) at = dirname(at);
  return at === "." ? "" : at;
}
