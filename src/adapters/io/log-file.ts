import { closeSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileError, makeFolder } from "./folder.ts";
import { fileId } from "./stretch.ts";

/** A file that takes output whole, whatever its size. */
export interface LogFile {
  path: string;
  readonly bytes: number;
  /** Makes the file now rather than with the first write. */
  create(): void;
  /** Which file it is, by which one that is put in its place is known; makes it where it is not there yet. */
  id(): string;
  write(chunk: Buffer): void;
  close(): void;
}

/**
 * A new log, or an old one emptied with the first write. Writes are synchronous: the page cache is faster than the
 * bookkeeping of a queue.
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
    // The first log of a folder; what else may be wrong shows itself again.
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
