import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, messageOf, RalphError } from "../../core/errors.ts";
import { isFolderAt } from "./look.ts";

/** Node's own never returns for ENOENT under an existing parent, as in /proc. `mode`: of the folder, if new. */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolderAt(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolderAt(path)) throw fileError(error, path);
  }
}

/** Throws if a loop's folder is gone. A new folder with the same name would not be the same. */
export function requireFolder(path: string): void {
  if (isFolderAt(path)) return;
  throw new RalphError("folder-gone", `the folder of this loop is gone: ${path}`, {
    hint: "restore it, then run `ralph resume`; or start a new loop elsewhere",
  });
}

const ELSEWHERE = "set RALPH_STATE_DIR to a writable folder";
const IN_THE_WAY = "a file exists where a folder is needed: move it, or set RALPH_STATE_DIR to another folder";
const HINTS: Record<string, string> = {
  ENOSPC: "free some space, then continue with `ralph resume`",
  EDQUOT: "your disk quota is used up: free some space, then continue with `ralph resume`",
  EFBIG: "the file size limit is reached (see `ulimit -f`): raise it, then continue with `ralph resume`",
  EROFS: `the file system is read-only: ${ELSEWHERE}`,
  EACCES: `grant write permission, or ${ELSEWHERE}`,
  EPERM: `grant write permission, or ${ELSEWHERE}`,
  ENOENT: `nothing can be created there: ${ELSEWHERE}`,
  ENOTDIR: IN_THE_WAY,
  EEXIST: IN_THE_WAY,
  EISDIR: "a folder exists where a file is needed: move it",
};
/** The user can free space while a loop is paused; every other error is a configuration error. */
const NO_ROOM = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Converts a file system error to a RalphError with a hint and exit code. */
export function fileError(error: unknown, path: string): RalphError {
  if (error instanceof RalphError) return error;
  const code = codeOf(error);
  return new RalphError(`file-${code.toLowerCase() || "error"}`, `cannot write ${path}: ${messageOf(error)}`, {
    hint: HINTS[code] ?? "check the path and the disk",
    exitCode: NO_ROOM.has(code) ? 1 : 2,
    cause: error,
  });
}

/** Identifies the file at a path by device and inode; null if there is none. A recreated file has another identity. */
export function fileAt(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
