import { accessSync, constants, lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../../core/errors.ts";

/** A file as it was found, and whether it can be written. */
export interface FoundFile {
  path: string;
  /** Where it really is: links are followed. */
  real: string;
  bytes: Buffer | null;
  mode: number | undefined;
  /** The folders on the way to it that are missing, the outermost first. */
  missing: readonly string[];
}

const MOST_BYTES = 4 << 20;

export function findFile(path: string): FoundFile {
  const missing: string[] = [];
  let folder = dirname(path);
  for (; isThere(folder) === null; folder = dirname(folder)) missing.unshift(folder);
  if (!followed(folder)?.isDirectory()) throw fileRefused(folder, "is no folder", "move it away, then try again");
  const real = join(realpathSync(folder), ...missing.map((name) => basename(name)), basename(path));
  const link = isThere(path);
  if (link === null) return { path, real, bytes: null, mode: undefined, missing };
  const stats = followed(path);
  if (!stats) throw fileRefused(path, "is a link to a file that is not there", "make that file, or remove the link");
  if (!stats.isFile()) throw fileRefused(path, "is no file", "move it away, then try again");
  if (stats.size > MOST_BYTES)
    throw fileRefused(path, `is larger than ${MOST_BYTES >> 20} MB`, "is it the right file?");
  return { path, real: realpathSync(path), bytes: bytesOf(path), mode: stats.mode & 0o7777, missing };
}

/** Refuses what could not be written, before anything is: a file that is read-only is meant to stay as it is. */
export function requireWritable({ path, real, mode }: FoundFile): void {
  if (mode !== undefined && (mode & 0o222) === 0) throw fileRefused(path, "is read-only", `chmod u+w ${path}`);
  let folder = dirname(real);
  while (isThere(folder) === null) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    if (mode !== undefined) accessSync(real, constants.W_OK);
  } catch {
    throw fileRefused(path, "cannot be written", `give yourself write permission for it and for ${folder}`);
  }
}

/** The text of a file; null: there is none. What is no UTF-8 would come back changed, so it is fileRefused. */
export function fileText({ path, bytes }: FoundFile): string | null {
  if (bytes === null) return null;
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw fileRefused(path, "is not UTF-8", "save it as UTF-8");
  return text;
}

export const fileRefused = (path: string, says: string, hint: string): RalphError =>
  new RalphError("file-refused", `${path} ${says}; nothing was changed`, { hint });

function isThere(path: string): true | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ? true : null;
  } catch {
    return null; // a file where a folder of its path should be: reported when the walk reaches it
  }
}

/** What a path leads to; null: nothing, also where its links lead in a circle. */
function followed(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** The text of a file that is only looked at; empty where there is none that can be read: no pipe is waited for. */
export function readIfPresent(path: string): string {
  const stats = followed(path);
  if (!stats?.isFile() || stats.size > MOST_BYTES) return "";
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw fileRefused(path, "cannot be read", "give yourself read permission");
  }
}
