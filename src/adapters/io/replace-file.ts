import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file whole: a reader sees the old one or the new one, never half of it. `mode` is what it is to have. */
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
