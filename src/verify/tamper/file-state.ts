import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";

/** What a path names, as far as a change of it would matter. */
export interface FileState {
  is: "absent" | "file" | "link" | "folder" | "special" | "unreadable";
  /** Of its content; through a link, of what the link leads to. */
  sha?: string;
  executable?: true;
  target?: string;
  /** Where it really lies, when a folder on the way is a link, or when its name is spelt otherwise on the disk. */
  place?: string;
  /** Names beside it that differ in nothing but their case. */
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

/** What a path leads to; undefined where that is nothing. */
export const statAt = (path: string): Stats | undefined => quietly(() => statSync(path));

/** What a path itself is, be it a link; undefined where there is nothing. */
export const entryAt = (path: string): Stats | undefined => quietly(() => lstatSync(path));

function quietly(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    // A file where a folder should be on the way, or a folder that may not be entered: it cannot be read.
    return undefined;
  }
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
    const code = error instanceof Error && "code" in error ? error.code : "";
    return { is: code === "ENOENT" || code === "ENOTDIR" ? "absent" : "unreadable" };
  }
}

/** A link may lead nowhere; a file that cannot be read is another state than one that can. */
function contentOf(path: string): Pick<FileState, "sha" | "executable"> {
  const read = hashFile(path);
  return read === null ? {} : { sha: read.sha, ...(read.executable ? { executable: true } : {}) };
}

const CHUNK_BYTES = 1 << 16;

/** The digest of a file of any size; null for what is no plain file. A pipe in its place does not block. */
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

/** Null where it lies where its name says. The disk's own spelling counts: it may take `Tests/a` for `tests/a`. */
function placeOf(full: string, path: string, realRoot: string): string | null {
  try {
    const real = join(realpathSync.native(dirname(full)), ownName(full));
    return real === join(realRoot, path) ? null : real;
  } catch {
    return null;
  }
}

/** A link's own name, not that of what it leads to. */
const ownName = (full: string): string =>
  lstatSync(full).isSymbolicLink() ? basename(full) : basename(realpathSync.native(full));

function namesByLowerCase(folder: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  try {
    for (const name of readdirSync(folder).sort()) {
      found.set(name.toLowerCase(), [...(found.get(name.toLowerCase()) ?? []), name]);
    }
  } catch {
    // A folder that cannot be listed has no names to compare.
  }
  return found;
}
