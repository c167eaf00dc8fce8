import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { isInside } from "../../../adapters/io/inside.ts";

/** The text of a file of the repository, or why it is none. `place`: where in it, counted from 1. */
export type FileText =
  | { text: string; what: null }
  | { what: string; hint: string; place: { line: number; column: number } };

const START = { line: 1, column: 1 };
const not = (what: string, hint: string, place = START): FileText => ({ what, hint, place });

const OUTSIDE = "leads out of the repository";
const KB = 1024;

/** Reads a file that has to be a text of bounded size, inside a folder where one is given, wherever links lead. */
export function readInside(path: string, root: string | null, mostBytes: number): FileText {
  try {
    if (root !== null && !isInside(realpathSync(path), realpathSync(root)))
      return not(OUTSIDE, "put the file itself here, not a link");
    const found = statSync(path);
    if (found.isDirectory()) return not("is a folder, expected a file", "give the folder another name");
    // Reading a pipe or a device might never end.
    if (!found.isFile()) return not("is no regular file", "put a file there");
    if (found.size > mostBytes) return not(`larger than ${mostBytes / KB} KB`, "make it shorter");
    return textOf(readFileSync(path));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT") return not("leads to a file that is not there", "remove or repair the link");
    if (code === "EACCES" || code === "EPERM") return not("may not be read", "give yourself permission to read it");
    return not(`cannot be read: ${code}`, "check the file and the disk");
  }
}

function textOf(bytes: Buffer): FileText {
  const nul = bytes.indexOf(0);
  if (nul !== -1) return not("holds a NUL byte, so it is not a text", "save it as UTF-8", placeIn(bytes, nul));
  try {
    // Some editors on Windows begin a file with a byte order mark, which the decoder takes away.
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), what: null };
  } catch {
    return not("is not UTF-8", "save it as UTF-8", placeIn(bytes, firstBroken(bytes)));
  }
}

/** Where the bytes stop being UTF-8: found by halves, as what comes before is whole. */
function firstBroken(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isWhole(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Whether bytes are UTF-8 as far as they go: a character may be cut at their end. */
function isWhole(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** A character that the offset cuts is the one that is meant. */
function placeIn(bytes: Buffer, offset: number): { line: number; column: number } {
  const before = new TextDecoder().decode(bytes.subarray(0, offset), { stream: true }).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The entries of a folder in the order of their names; none where there is no such folder. */
export function entriesOf(folder: string): { entries: Dirent[]; why: string | null } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)), why: null };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    return { entries: [], why: code === "ENOENT" ? null : code };
  }
}

/** The folder that links must not lead out of. */
export const rootOf = (cwd: string): string => checkoutRoot(cwd) ?? cwd;

/** A path as people see it from where they are: a file elsewhere keeps its whole name. */
export function seenFrom(cwd: string, path: string): string {
  const way = relative(cwd, path);
  return way.startsWith("..") ? path : way;
}

/** Whether an entry is a folder, also behind a link. */
export const isFolderEntry = (folder: string, entry: Dirent): boolean => {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // a link in a circle
  }
};
