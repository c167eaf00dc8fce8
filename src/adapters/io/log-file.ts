import { closeSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileError, makeFolder } from "./folder.ts";
import { fileId } from "./stretch.ts";

/** A file for output of any size. */
export interface LogFile {
  path: string;
  readonly bytes: number;
  /** Creates the file now instead of with the first write. */
  create(): void;
  /** Identifies the file, so that a replacement is detected. Creates the file if necessary. */
  id(): string;
  write(chunk: Buffer): void;
  close(): void;
}

/**
 * Opens a log. The first write truncates an existing file. Writes are synchronous, because the page cache is faster
 * than a queue.
 */
export function openLog(path: string): LogFile {
  let fd: number | undefined;
  let bytes = 0;
  const file = () => {
    fd ??= create(path);
    return fd;
  };
  return {
    path,
    get bytes() {
      return bytes;
    },
    write: (chunk) =>
      guarded(path, () => {
        for (let offset = 0; offset < chunk.length; ) offset += writeSync(file(), chunk, offset);
        bytes += chunk.length;
      }),
    create: () => guarded(path, () => void file()),
    id: () => {
      guarded(path, () => void file());
      return fileId(file());
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function create(path: string): number {
  try {
    return openSync(path, "w");
  } catch {
    // The folder may be missing; any other error occurs again.
    makeFolder(dirname(path));
    return openSync(path, "w");
  }
}

function guarded(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw fileError(error, path);
  }
}
