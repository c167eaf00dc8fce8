import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { lineSplitter } from "./lines.ts";

const CHUNK_BYTES = 1 << 18;
const MAX_LINE_BYTES = 8 << 20;
/** What takes longer to read than a person would wait is not read. */
const MAX_FILE_BYTES = 512 << 20;

/**
 * Hands on every line of a file that somebody else writes. False: it is no regular file, is too large, or cannot be
 * read; a pipe of that name is never waited for.
 */
export function eachLine(path: string, onLine: (line: Buffer) => void): boolean {
  let file: number | null = null;
  try {
    // Windows has no pipes among its files, and no word for not waiting.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const there = fstatSync(file);
    if (!there.isFile() || there.size > MAX_FILE_BYTES) return false;
    readLines(file, onLine);
    return true;
  } catch {
    return false; // Whoever writes it may take it away at any time.
  } finally {
    if (file !== null) closeSync(file);
  }
}

function readLines(file: number, onLine: (line: Buffer) => void): void {
  const lines = lineSplitter(MAX_LINE_BYTES, onLine);
  for (;;) {
    // A line may be held until the next piece is there, so every piece has a place of its own.
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(file, chunk);
    if (read === 0) break;
    lines.add(chunk.subarray(0, read));
  }
  lines.end();
}
