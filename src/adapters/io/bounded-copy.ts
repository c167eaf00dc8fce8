import { lstatSync, opendirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, join } from "node:path";

interface CopyBound {
  files: number;
  bytes: number;
}

/** Copies a folder without entries named in `without`; symlinks stay. Over the bound it copies nothing: false. */
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

/** Pipes and sockets cannot be copied, and reading one would block. */
const isCopied = (isWanted: (path: string) => boolean) => (path: string) => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return isWanted(path) && found !== undefined && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
};

/** Counts until the bound is exceeded. Uses a list of open folders instead of recursion. */
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

/** Reads entries one by one, because a folder may have any number of them. */
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
