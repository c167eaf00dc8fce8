import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { RalphError } from "../core/errors.ts";

/** A file that takes output whole, whatever its size. */
export interface LogFile {
  path: string;
  readonly bytes: number;
  write(chunk: Buffer): void;
  close(): void;
}

/** Opens a new log, or empties an old one. Writes are synchronous: the page cache is faster than the bookkeeping of a queue. */
export function openLog(path: string): LogFile {
  const fd = guarded(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "w");
  });
  let bytes = 0;
  return {
    path,
    get bytes() {
      return bytes;
    },
    write(chunk) {
      guarded(path, () => {
        for (let offset = 0; offset < chunk.length; ) offset += writeSync(fd, chunk, offset);
      });
      bytes += chunk.length;
    },
    close: () => closeSync(fd),
  };
}

const HINTS: Record<string, string> = {
  ENOSPC: "free some space, then `ralph resume` goes on where it stopped",
  EROFS: "the file system is read-only: set RALPH_STATE_DIR to a folder that can be written",
  EACCES: "give write permission, or set RALPH_STATE_DIR to a folder that can be written",
};

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(error, path);
  }
}

/** An error of the file system in the words of the contract. */
export function fileError(error: unknown, path: string): RalphError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  const hint = HINTS[code] ?? "check the path and the disk";
  return new RalphError(`file-${code.toLowerCase() || "error"}`, `cannot write ${path}: ${message}`, {
    hint,
    exitCode: code === "ENOSPC" ? 1 : 2,
    cause: error,
  });
}
