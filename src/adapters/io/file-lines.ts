import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { lineSplitter } from "./lines.ts";

const CHUNK_BYTES = 1 << 18;
const MAX_LINE_BYTES = 8 << 20;
/** Larger files would take too long to read while a user waits. */
const MAX_FILE_BYTES = 512 << 20;

/** Reads every line of another program's file. False if it is not a file, too large or unreadable. Never blocks. */
export function eachLine(path: string, onLine: (line: Buffer) => void): boolean {
  let file: number | null = null;
  try {
    // Windows has no named pipes among its files and no O_NONBLOCK.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return false;
    readLines(file, onLine);
    return true;
  } catch {
    return false; // The other program may remove it at any time.
  } finally {
    if (file !== null) closeSync(file);
  }
}

function readLines(file: number, onLine: (line: Buffer) => void): void {
  const lines = lineSplitter(MAX_LINE_BYTES, onLine);
  for (;;) {
    // The splitter may keep a piece until the next one arrives, so every piece needs its own buffer.
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(file, chunk);
    if (read === 0) break;
    lines.add(chunk.subarray(0, read));
  }
  lines.end();
}
