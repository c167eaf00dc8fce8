import { statSync } from "node:fs";

/** Which file is at a path: one that was removed and made again is another one. Null: none. */
export function fileAt(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
