import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file atomically: a reader sees the old or the new content, never a part. `mode` sets its permissions. */
export function replaceFile(path: string, content: string | Buffer, mode?: number): void {
  const half = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(half, content, { flag: "wx" });
    if (mode !== undefined) chmodSync(half, mode);
    renameSync(half, path);
  } finally {
    rmSync(half, { force: true });
  }
}
