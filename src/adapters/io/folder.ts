import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, RalphError } from "../../core/errors.ts";

/**
 * Makes a folder and those above it. Node's own recursive way never returns where the system answers that there is
 * no such file although the parent is there, as /proc does. `mode` is for the folder itself, where it is new.
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw fileError(error, path);
  }
}

/** A loop belongs to its folder: one made anew under the same name would be another one. */
export function requireFolder(path: string): void {
  if (isFolder(path)) return;
  throw new RalphError("folder-gone", `the folder of this loop is gone: ${path}`, {
    hint: "put it back, then `ralph resume`; or start a new loop elsewhere",
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const ELSEWHERE = "set RALPH_STATE_DIR to a folder that can be written";
const IN_THE_WAY = "a file is where a folder should be: move it away, or set RALPH_STATE_DIR to another folder";
const HINTS: Record<string, string> = {
  ENOSPC: "free some space, then `ralph resume` goes on where it stopped",
  EDQUOT: "your disk quota is used up: free some space, then `ralph resume` goes on where it stopped",
  EFBIG: "files may not grow that large here (see `ulimit -f`): raise the limit, then `ralph resume`",
  EROFS: `the file system is read-only: ${ELSEWHERE}`,
  EACCES: `give write permission, or ${ELSEWHERE}`,
  EPERM: `give write permission, or ${ELSEWHERE}`,
  ENOENT: `nothing can be made there: ${ELSEWHERE}`,
  ENOTDIR: IN_THE_WAY,
  EEXIST: IN_THE_WAY,
  EISDIR: "a folder is where a file should be: move it away",
};
/** Room can be made while a loop stands still; everything else is a matter of configuration. */
const NO_ROOM = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** An error of the file system in the words of the contract. */
export function fileError(error: unknown, path: string): RalphError {
  if (error instanceof RalphError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = messageOf(error);
  return new RalphError(`file-${code.toLowerCase() || "error"}`, `cannot write ${path}: ${message}`, {
    hint: HINTS[code] ?? "check the path and the disk",
    exitCode: NO_ROOM.has(code) ? 1 : 2,
    cause: error,
  });
}
