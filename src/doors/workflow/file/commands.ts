import { existsSync } from "node:fs";
import { join } from "node:path";
import { closest } from "../../../core/edit-distance.ts";
import { firstNamed } from "../../../core/excerpt.ts";
import { entriesOf, isFolderEntry, readInside, rootOf } from "./checked-file.ts";
import type { CommandText } from "./part.ts";

const RALPH = ".ralph/commands";
const ARCHON = ".archon/commands";
const MOST_BYTES = 1024 * 1024;

/** Finds a command file by name: in Ralph's folder, then in Archon's and its subfolders. */
export function commandTextsIn(cwd: string): CommandText {
  let folders: string[] | null = null;
  const texts = new Map<string, ReturnType<CommandText>>();
  return (name) => {
    folders ??= [RALPH, ARCHON, ...innerFolders(cwd)];
    const known = texts.get(name) ?? readCommand(cwd, folders, name);
    texts.set(name, known);
    return known;
  };
}

function readCommand(cwd: string, folders: readonly string[], name: string): ReturnType<CommandText> {
  const file = folders.map((folder) => `${folder}/${name}.md`).find((path) => existsSync(join(cwd, path)));
  if (file === undefined) return missing(cwd, folders, name);
  const read = readInside(join(cwd, file), rootOf(cwd), MOST_BYTES);
  if (read.what !== null) return { what: `${file} ${read.what}`, hint: read.hint };
  if (read.text.trim() === "") return { what: `${file} is empty`, hint: "write the prompt for the agent into it" };
  return { text: read.text };
}

const MOST_NAMED = 8;

function missing(cwd: string, folders: readonly string[], name: string): ReturnType<CommandText> {
  const there = folders.flatMap((folder) =>
    entriesOf(join(cwd, folder)).entries.flatMap(({ name }) => (name.endsWith(".md") ? [name.slice(0, -3)] : [])),
  );
  const what = `there is no command file ${name}.md in ${RALPH} or ${ARCHON}`;
  const near = closest(name, there);
  if (near !== null) return { what, hint: `did you mean ${near}?` };
  const listed = firstNamed([...new Set(there)].sort(), MOST_NAMED);
  return { what, hint: listed === "" ? `write ${RALPH}/${name}.md` : `write it, or name one of ${listed}` };
}

/** Archon also searches direct subfolders. */
const innerFolders = (cwd: string): string[] =>
  entriesOf(join(cwd, ARCHON))
    .entries.filter((entry) => isFolderEntry(join(cwd, ARCHON), entry))
    .map(({ name }) => `${ARCHON}/${name}`);
