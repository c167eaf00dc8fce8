import { lstatSync, type Stats, statSync } from "node:fs";

/** What a path points to; undefined if nothing. */
export const statAt = (path: string | Buffer): Stats | undefined => quietly(() => statSync(path));

/** The path itself, even if it is a symlink; undefined if nothing. */
export const entryAt = (path: string | Buffer): Stats | undefined => quietly(() => lstatSync(path));

function quietly(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    // A parent is a file or a folder that cannot be entered: unreadable.
    return undefined;
  }
}
