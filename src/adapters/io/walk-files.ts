import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

interface WalkOptions {
  /** Folders with these names are skipped, unless the walk starts in one. */
  skip: ReadonlySet<string>;
  /** The maximum number of files and folders visited. */
  most: number;
}

/** Every file and symlink below a folder, in a stable order, relative to `root`. Symlinks are not followed. */
export function* walkFiles(root: string, folder: string, { skip, most }: WalkOptions): Generator<string> {
  const waiting = [folder];
  for (let at = waiting.pop(), seen = 0; at !== undefined; at = waiting.pop()) {
    const inside: string[] = [];
    for (const entry of entriesOf(join(root, at))) {
      seen += 1;
      if (seen > most) return;
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (!entry.isDirectory()) yield path;
      else if (!skip.has(entry.name)) inside.push(path);
    }
    waiting.push(...inside.reverse());
  }
}

/** A folder that cannot be read counts as empty. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
