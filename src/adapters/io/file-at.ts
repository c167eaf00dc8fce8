import { statSync } from "node:fs";

/** Identifies the file at a path by device and inode; null if there is none. A recreated file has another identity. */
export function fileAt(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
