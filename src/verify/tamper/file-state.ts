import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { namesIn } from "../../adapters/io/look.ts";
import { codeOf } from "../../core/errors.ts";

/** The state of a path, as far as a change would matter. */
export interface FileState {
  is: "absent" | "file" | "link" | "folder" | "special" | "unreadable";
  /** The digest of its content; for a symlink, of its target. */
  sha?: string;
  executable?: true;
  target?: string;
  /** Its real location if a parent folder is a symlink, or if the disk spells its name differently. */
  place?: string;
  /** Names next to it that differ only in case. */
  variants?: readonly string[];
}

export function openLook(root: string): { state(path: string): FileState } {
  const realRoot = realpathSync.native(root);
  const names = new Map<string, Map<string, string[]>>();
  const namesIn = (folder: string) => {
    const known = names.get(folder) ?? namesByLowerCase(folder);
    names.set(folder, known);
    return known;
  };
  return {
    state(path) {
      const full = resolve(root, path);
      const state = stateOf(full);
      if (state.is === "absent") return state;
      const variants = (namesIn(dirname(full)).get(basename(full).toLowerCase()) ?? []).filter(
        (name) => name !== basename(full),
      );
      const place = isBelow(full, root) ? placeOf(full, relative(root, full), realRoot) : null;
      return { ...state, ...(place === null ? {} : { place }), ...(variants.length > 0 ? { variants } : {}) };
    },
  };
}

export const sameState = (a: FileState, b: FileState): boolean => stateDigest(a) === stateDigest(b);

export const stateDigest = ({ is, sha, executable, target, place, variants = [] }: FileState): string =>
  [
    is === "file" ? (sha ?? "") : is,
    ...(is === "link" ? [target, sha ?? "nothing"] : []),
    ...(executable ? ["executable"] : []),
    ...(place === undefined ? [] : ["in", place]),
    ...(variants.length > 0 ? ["beside", ...variants] : []),
  ].join(" ");

function stateOf(path: string): FileState {
  try {
    const kind = lstatSync(path);
    if (kind.isSymbolicLink()) return { is: "link", target: readlinkSync(path), ...contentOf(path) };
    if (kind.isDirectory()) return { is: "folder" };
    return kind.isFile() ? { is: "file", ...contentOf(path) } : { is: "special" };
  } catch (error) {
    const code = codeOf(error);
    return { is: code === "ENOENT" || code === "ENOTDIR" ? "absent" : "unreadable" };
  }
}

/** A symlink may be dangling. An unreadable file is a different state from a readable one. */
function contentOf(path: string): Pick<FileState, "sha" | "executable"> {
  const read = hashFile(path);
  return read === null ? {} : { sha: read.sha, ...(read.executable ? { executable: true } : {}) };
}

const CHUNK_BYTES = 1 << 16;

/** The digest of a file of any size; null if it is not a regular file. Does not block on a pipe. */
function hashFile(path: string): { sha: string; executable: boolean } | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return null;
    const hash = createHash("sha256");
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) hash.update(chunk.subarray(0, size));
    return { sha: hash.digest("hex"), executable: (stats.mode & 0o100) !== 0 };
  } finally {
    closeSync(file);
  }
}

export const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");

/** Null if the real location matches the name. The disk's spelling counts: it may accept `Tests/a` for `tests/a`. */
function placeOf(full: string, path: string, realRoot: string): string | null {
  try {
    const real = join(realpathSync.native(dirname(full)), ownName(full));
    return real === join(realRoot, path) ? null : real;
  } catch {
    return null;
  }
}

/** A symlink's own name, not that of its target. */
const ownName = (full: string): string =>
  lstatSync(full).isSymbolicLink() ? basename(full) : basename(realpathSync.native(full));

function namesByLowerCase(folder: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of namesIn(folder)) {
    found.set(name.toLowerCase(), [...(found.get(name.toLowerCase()) ?? []), name]);
  }
  return found;
}
