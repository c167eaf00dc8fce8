import { closeSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileError, makeFolder } from "./folder.ts";

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
    makeFolder(dirname(path));
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

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(error, path);
  }
}
