import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { jsonIn } from "../../core/json-text.ts";

// Looks at paths of others: that one is missing, unreadable or no plain file is an answer, not an error.

/** What a path points to; undefined if nothing, or if a parent is a file or cannot be entered. */
export const statAt = (path: string): Stats | undefined => quietly(() => statSync(path));

/** The path itself, even if it is a symlink; undefined if nothing. */
export const entryAt = (path: string | Buffer): Stats | undefined => quietly(() => lstatSync(path));

export const isFileAt = (path: string): boolean => statAt(path)?.isFile() ?? false;
export const isFolderAt = (path: string): boolean => statAt(path)?.isDirectory() ?? false;

/** More than is written by hand, little enough to be read at every look. */
const MOST_BYTES = 1 << 20;

/** The content of a plain file of limited size, otherwise null. Does not wait for a pipe. */
export function contentAt(path: string, mostBytes = MOST_BYTES): Buffer | null {
  const stats = statAt(path);
  return (stats?.isFile() && stats.size <= mostBytes && quietly(() => readFileSync(path))) || null;
}

/** The text of a plain file of limited size; empty if there is none. */
export const textAt = (path: string, mostBytes?: number): string => contentAt(path, mostBytes)?.toString("utf8") ?? "";

/** The value in a JSON file; undefined if it is none. */
export const jsonAt = (path: string): unknown => jsonIn(textAt(path));

/** The names in a folder, in a stable order; none if it cannot be listed. */
export const namesIn = (folder: string): string[] => quietly(() => readdirSync(folder).sort()) ?? [];

/** The path with symlinks resolved; undefined if it leads nowhere. */
export const realPathOf = (path: string): string | undefined => quietly(() => realpathSync(path));

function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
