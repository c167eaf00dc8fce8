import { basename, dirname, join, relative, resolve } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { findOnPath } from "../../adapters/io/find-on-path.ts";
import { contentAt, isFolderAt } from "../../adapters/io/look.ts";
import type { Command } from "../../core/command-line/command.ts";
import { commandsIn } from "../../core/command-line/commands.ts";
import { isBuiltin } from "../../core/command-line/programs.ts";
import { type RoleContext, type Use, useOf } from "../../core/command-line/use.ts";
import { usesOf } from "../../core/command-line/uses.ts";
import { exactly, meaningsOf } from "../../core/command-line/values.ts";
import { TOOLS } from "../../core/tamper/tools.ts";
import { type UsedCommand, withoutRunners } from "./called-program.ts";
import { type FrozenPath, frozenBy, isInOutput, type Ownership } from "./frozen-paths.ts";
import { NAMES_AT } from "./globs.ts";
import { importsOf } from "./imports.ts";
import { isMaker, readMakefiles, recipeLines } from "./makefiles.ts";
import { isThere, type Place, pathsFor } from "./named-paths.ts";
import { calledScripts, scriptTexts } from "./package-scripts.ts";
import { sourceFiles } from "./source-folders.ts";
import { selectedFolders } from "./workspaces.ts";

export interface Line {
  command: string;
  dir: string;
  /** The script that it is in. */
  script?: string;
}

/** What command lines use, as far as their text shows. Paths are relative to the loop's folder. */
export interface Used {
  /** Files that must not change, or must not appear. */
  files: Set<string>;
  /** Scripts of package.json, as `package.json#scripts.test`, and the names that match a pattern. */
  values: Set<string>;
  /** Every simple command, including those in scripts of package.json. */
  commands: UsedCommand[];
}

const MOST_DEEP = 6;
const MOST_FOLLOWED = 200;
const MOST_BYTES = 256 << 10;

/** `owned`: what belongs to the agent; by default the folders of the project's source. */
export function usedBy(lines: readonly Line[], root: string, owned?: Ownership): Used {
  const top = checkoutRoot(root) ?? root;
  const search: Search = {
    root,
    top,
    owned: owned ?? { isWork: sourceFiles(top, root), exact: false },
    used: { files: new Set(), values: new Set(), commands: [] },
    followed: new Set(),
  };
  let next: readonly Line[] = lines;
  for (let deep = 0; deep < MOST_DEEP && next.length > 0; deep += 1)
    next = next.flatMap((line) => readLine(search, line));
  return search.used;
}

interface Search {
  root: string;
  top: string;
  owned: Ownership;
  used: Used;
  followed: Set<string>;
}

/** Notes what a line uses. Returns the lines that it runs in turn. */
function readLine(search: Search, given: Line): Line[] {
  const { top, root } = search;
  const { dir, script = null } = given;
  const line = commandsIn(given.command, dir, { script, top });
  const known = (command: Command) => ({ folder: command.dir ?? dir, script, top, values: line.values });
  const listed = (variable: string, command: Command) =>
    (line.values.get(variable) ?? [])
      .flatMap((word) => meaningsOf(word, known(command)))
      .flatMap(({ text, anywhere }) => (anywhere ? [] : text.split(":").filter(Boolean)))
      .map((path) => resolve(command.dir ?? dir, path));
  const uses = usesOf(line, (command): RoleContext => {
    const place = placeOf(search, given, command.dir);
    return { known: known(command), exists: (meaning, as) => isThere(meaning, place, as), isTool };
  });
  const written = new Set(
    line.commands.flatMap((command) => writtenBy(command).map((name) => resolve(command.dir ?? dir, name))),
  );
  return line.commands.flatMap((command) => {
    const words = command.words.map((word) => exactly(word, known(command)) ?? word.text);
    const own = inFolder(words, command.dir ?? dir);
    // The shell alone may know the folder.
    const place = {
      ...placeOf(search, given, command.dir === null && own.dir === dir ? null : own.dir),
      modules: listed("PYTHONPATH", command),
    };
    const called = command.source === "guess" ? [] : noteCommand(search, own, command.starters);
    return [
      ...called,
      ...[...(uses.get(command) ?? []), ...onPath(own, listed("PATH", command), root)].flatMap((use) =>
        noteUse(search, use, { place, written, dir: own.dir }),
      ),
    ];
  });
}

/** Where the paths of a command are: in its folder, or in that of its script. */
function placeOf({ root, top }: Search, { dir, script }: Line, folder: string | null): Place {
  const beside = script === undefined ? [] : [dirname(script), dirname(dirname(script))];
  return { top, dirs: [...new Set([folder ?? dir, ...beside, ...(folder === null ? [root] : [])])] };
}

/** The program in the folders that a line adds to PATH. The work may be one that is nowhere else. */
function onPath({ words: [name = ""] }: UsedCommand, folders: readonly string[], root: string): Use[] {
  if (!/^[\w.+-]+$/.test(name) || isBuiltin(name)) return [];
  const role = findOnPath(name, root) === null ? "run" : "included";
  return folders.map((folder) => useOf(join(folder, name), role));
}

function noteCommand(search: Search, own: UsedCommand, starters: readonly string[]): Line[] {
  const called = withoutRunners(own, starters);
  search.used.commands.push(called);
  return calledLines(search, called);
}

interface Where {
  place: Place;
  /** Files that the line writes: what it then reads or runs is its own. */
  written: ReadonlySet<string>;
  dir: string;
}

function noteUse(search: Search, use: Use, { place, written, dir }: Where): Line[] {
  if (use.role === "included" && use.meaning.glob !== null) addNames(search, resolve(dir, use.meaning.glob));
  const found = pathsFor(use, place).flatMap((path) => frozenBy(use, path, search.owned));
  return found.filter(({ path }) => !written.has(path)).flatMap((path) => freeze(search, path, { use, dir }));
}

/** The files that a command writes. */
function writtenBy({ words, outputs }: Command): string[] {
  const isTee = basename(words[0]?.text ?? "") === "tee";
  const named = words.slice(1).flatMap(({ text }, i) => {
    const [, value] = /^(?:--out(?:put|file|-file)?|-o)=(.+)$/.exec(text) ?? [];
    const isValue = /^(?:-o|-O|--out(?:put|file|-file)?)$/.test(words[i]?.text ?? "");
    return value ?? (isTee || isValue ? text : []);
  });
  return [...named, ...outputs.map(({ text }) => text)];
}

const isTool = (name: string): boolean => Object.hasOwn(TOOLS, name.replace(/(.)@[^@]*$/, "$1"));

/** Freezes a file. Returns its text, if a shell runs it, and what else its code loads. */
function freeze(search: Search, { path, role, nature }: FrozenPath, { use, dir }: { use: Use; dir: string }): Line[] {
  const { root, used, followed } = search;
  used.files.add(relative(root, path));
  if (role === "read" || followed.has(path) || followed.size >= MOST_FOLLOWED) return [];
  const content = contentAt(path, MOST_BYTES);
  if (!content) return [];
  followed.add(path);
  if (nature.shell || (use.shell && nature.is !== "script"))
    return [{ command: content.toString("utf8"), dir, script: path }];
  for (const file of importsOf(path, search)) used.files.add(relative(root, file));
  return [];
}

/** Scripts of package.json, and recipes of a makefile. */
function calledLines(search: Search, { words, dir }: UsedCommand): Line[] {
  const { root, top, used } = search;
  const [program = "", ...args] = words;
  const name = basename(program);
  if (isMaker(name)) {
    const { files, globs } = readMakefiles(name, args, dir, top);
    for (const file of files) used.files.add(relative(root, resolve(top, file)));
    for (const glob of globs) addNames(search, resolve(top, glob));
    return recipeLines(name, args, { dir, root: top }).map((command) => ({ command, dir }));
  }
  const names = calledScripts(words);
  if (names.length === 0) return [];
  const folders = selectedFolders(words, dir, top) ?? [dir];
  const fresh = folders
    .flatMap((folder) => scriptTexts(name, names, folder, root))
    .filter(({ key }) => !used.values.has(key));
  return fresh.flatMap(({ key, text }) => {
    used.values.add(key);
    return text === null ? [] : [{ command: text, dir: resolve(root, dirname(key.split("#")[0] ?? "")) }];
  });
}

function addNames({ root, top, used }: Search, glob: string): void {
  const path = relative(root, glob);
  if (glob.startsWith(`${top}/`) && !isInOutput(path)) used.values.add(`${path}${NAMES_AT}`);
}

/** Options that set the working folder of the program. */
const FOLDER_OPTION = /^(?:-C|--prefix|--cwd|--dir|--directory)(?:=(.*))?$|^-C(.+)$/s;

function inFolder(words: readonly string[], dir: string): UsedCommand {
  const place = words.findIndex((word, i) => i > 0 && FOLDER_OPTION.test(word));
  const [, long, short] = FOLDER_OPTION.exec(words[place] ?? "") ?? [];
  const inWord = long ?? short;
  const folder = resolve(dir, inWord ?? words[place + 1] ?? ".");
  if (place === -1 || !isFolderAt(folder)) return { words, before: [], dir };
  return { words: words.toSpliced(place, inWord === undefined ? 2 : 1), before: [], dir: folder };
}
