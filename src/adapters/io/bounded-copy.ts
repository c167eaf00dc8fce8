import { lstatSync, opendirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, join } from "node:path";

interface CopyBound {
  files: number;
  bytes: number;
}

/** Copies a folder, links as links, without the folders of these names. False, and nothing copied: it has more than that. */
export async function copyBounded(
  from: string,
  to: string,
  { bound, without = [] }: { bound: CopyBound; without?: readonly string[] },
): Promise<boolean> {
  const isWanted = (path: string) => path === from || !without.includes(basename(path));
  if (!fits(from, isWanted, { ...bound })) return false;
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: isCopied(isWanted) });
  return true;
}

/** A pipe or a socket cannot be copied, and reading one would never end. */
const isCopied = (isWanted: (path: string) => boolean) => (path: string) => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return isWanted(path) && found !== undefined && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
};

/** Counts until it is too much; folders that are still to be looked at are a list, not a recursion. */
function fits(root: string, isWanted: (path: string) => boolean, left: CopyBound): boolean {
  for (const open = [root]; open.length > 0; ) {
    for (const { path, isFolder, bytes } of entriesOf(open.pop() ?? root)) {
      if (!isWanted(path)) continue;
      if (isFolder) open.push(path);
      left.bytes -= bytes;
      left.files -= 1;
      if (left.files < 0 || left.bytes < 0) return false;
    }
  }
  return true;
}

/** One after the other: a folder may have any number of them. */
function* entriesOf(folder: string): Generator<{ path: string; isFolder: boolean; bytes: number }> {
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      const path = join(folder, entry.name);
      yield { path, isFolder: entry.isDirectory(), bytes: entry.isFile() ? lstatSync(path).size : 0 };
    }
  } finally {
    entries.closeSync();
  }
}
