import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { codeOf, RalphError } from "../../core/errors.ts";

/** Writes a file atomically: a reader sees the old or the new content, never a part. `mode` sets its permissions. */
export function replaceFile(path: string, content: string | Buffer, mode?: number): void {
  const half = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(half, content, { flag: "wx" });
    if (mode !== undefined) chmodSync(half, mode);
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
}

/** Writes the user's file completely or not at all, never over a folder. Writes directly to a device. */
export function writeWholeFile(path: string, content: string, cwd: string): void {
  const file = resolve(cwd, path);
  const stats = writing(path, () => statSync(file, { throwIfNoEntry: false }));
  if (stats?.isDirectory()) {
    throw new RalphError("file-is-folder", `${path} is a folder`, {
      hint: `specify a file, such as ${path}/stats.svg`,
    });
  }
  if (stats && !stats.isFile()) {
    writing(path, () => writeFileSync(file, content));
    return;
  }
  writing(path, () => replaceFile(file, content));
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: "create the folder first",
  ENOTDIR: "a file exists where a folder is needed: use another path",
  EACCES: "use a path that you can write to",
  EPERM: "use a path that you can write to",
  EROFS: "use a path that you can write to",
  ENOSPC: "free some space",
  ENAMETOOLONG: "use a shorter name",
};

function writing<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error);
    throw new RalphError("file-not-written", `cannot write ${path}: ${code || String(error)}`, {
      hint: HINTS[code] ?? "check the path and the disk",
      cause: error,
    });
  }
}
