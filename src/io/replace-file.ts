import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file whole: a reader sees the old one or the new one, never half of it. */
export function replaceFile(path: string, content: string | Buffer, mode = 0o666): void {
  const half = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(half, content, { flag: "wx", mode });
    renameSync(half, path);
  } finally {
    rmSync(half, { force: true });
  }
}
