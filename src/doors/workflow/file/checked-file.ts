import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { isInside } from "../../../adapters/io/inside.ts";
import { codeOf } from "../../../core/errors.ts";

/** The text of a file, or why it cannot be used. `place`: line and column from 1. */
export type FileText =
  | { text: string; what: null }
  | { what: string; hint: string; place: { line: number; column: number } };

const START = { line: 1, column: 1 };
const not = (what: string, hint: string, place = START): FileText => ({ what, hint, place });

const OUTSIDE = "points outside the repository";
const KB = 1024;

/** Reads a UTF-8 file of limited size. With a root, the file must be inside it after links are resolved. */
export function readInside(path: string, root: string | null, mostBytes: number): FileText {
  try {
    if (root !== null && !isInside(realpathSync(path), realpathSync(root)))
      return not(OUTSIDE, "put the file itself here, not a link");
    const found = statSync(path);
    if (found.isDirectory()) return not("is a folder, expected a file", "give the folder another name");
    // Reading a pipe or a device could block forever.
    if (!found.isFile()) return not("is not a regular file", "put a file there");
    if (found.size > mostBytes) return not(`larger than ${mostBytes / KB} KB`, "make it shorter");
    return textOf(readFileSync(path));
  } catch (error) {
    const code = codeOf(error) || String(error);
    if (code === "ENOENT") return not("points to a missing file", "remove or fix the link");
    if (code === "EACCES" || code === "EPERM") return not("cannot be read: permission denied", "make it readable");
    return not(`cannot be read: ${code}`, "check the file and the disk");
  }
}

function textOf(bytes: Buffer): FileText {
  const nul = bytes.indexOf(0);
  if (nul !== -1) return not("contains a NUL byte, so it is not text", "save it as UTF-8", placeIn(bytes, nul));
  try {
    // The decoder removes the byte order mark that some editors on Windows write.
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), what: null };
  } catch {
    return not("is not UTF-8", "save it as UTF-8", placeIn(bytes, firstBroken(bytes)));
  }
}

/** The offset of the first byte that is not UTF-8, by binary search. */
function firstBroken(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isWhole(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Whether bytes are valid UTF-8; a character may be cut off at the end. */
function isWhole(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** An offset within a character means that character. */
function placeIn(bytes: Buffer, offset: number): { line: number; column: number } {
  const before = new TextDecoder().decode(bytes.subarray(0, offset), { stream: true }).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The entries of a folder by name; none if it does not exist. */
export function entriesOf(folder: string): { entries: Dirent[]; why: string | null } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)), why: null };
  } catch (error) {
    const code = codeOf(error) || String(error);
    return { entries: [], why: code === "ENOENT" ? null : code };
  }
}

/** The folder that links must not lead out of. */
export const rootOf = (cwd: string): string => checkoutRoot(cwd) ?? cwd;

/** Whether an entry is a folder or a link to one. */
export const isFolderEntry = (folder: string, entry: Dirent): boolean => {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false; // a cycle of links
  }
};
