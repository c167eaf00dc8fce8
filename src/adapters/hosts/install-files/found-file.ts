import { accessSync, constants, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../../core/errors.ts";
import { entryAt, isFolderAt, statAt, textAt } from "../../io/look.ts";

/** A file as it was found. */
export interface FoundFile {
  path: string;
  /** Its real path, with symlinks resolved. */
  real: string;
  bytes: Buffer | null;
  mode: number | undefined;
  /** The missing parent folders, outermost first. */
  missing: readonly string[];
}

const MOST_BYTES = 4 << 20;

export function findFile(path: string): FoundFile {
  const missing: string[] = [];
  let folder = dirname(path);
  for (; !entryAt(folder); folder = dirname(folder)) missing.unshift(folder);
  if (!isFolderAt(folder)) throw fileRefused(folder, "is not a folder", "move it away, then try again");
  const real = join(realpathSync(folder), ...missing.map((name) => basename(name)), basename(path));
  if (!entryAt(path)) return { path, real, bytes: null, mode: undefined, missing };
  const stats = statAt(path);
  if (!stats) throw fileRefused(path, "is a symlink to a missing file", "create that file, or remove the symlink");
  if (!stats.isFile()) throw fileRefused(path, "is not a file", "move it away, then try again");
  if (stats.size > MOST_BYTES)
    throw fileRefused(path, `is larger than ${MOST_BYTES >> 20} MB`, "is it the right file?");
  return { path, real: realpathSync(path), bytes: bytesOf(path), mode: stats.mode & 0o7777, missing };
}

/** Throws for a file that cannot be written, before anything is. A read-only file is meant to stay unchanged. */
export function requireWritable({ path, real, mode }: FoundFile): void {
  if (mode !== undefined && (mode & 0o222) === 0) throw fileRefused(path, "is read-only", `chmod u+w ${path}`);
  let folder = dirname(real);
  while (!entryAt(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    if (mode !== undefined) accessSync(real, constants.W_OK);
  } catch {
    throw fileRefused(path, "cannot be written", `give yourself write permission for it and for ${folder}`);
  }
}

/** The text of a file; null if there is none. Throws unless it is UTF-8, because writing it back would change it. */
export function fileText({ path, bytes }: FoundFile): string | null {
  if (bytes === null) return null;
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw fileRefused(path, "is not UTF-8", "save it as UTF-8");
  return text;
}

export const fileRefused = (path: string, says: string, hint: string): RalphError =>
  new RalphError("file-refused", `${path} ${says}; nothing was changed`, { hint });

/** The text of a file that is only read. */
export const readIfPresent = (path: string): string => textAt(path, MOST_BYTES);

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw fileRefused(path, "cannot be read", "give yourself read permission");
  }
}
