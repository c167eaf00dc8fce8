import { readSync } from "node:fs";
import { codeOf } from "../../core/errors.ts";

const CHUNK_BYTES = 1 << 16;
/** The polling interval for a non-blocking pipe. */
const PAUSE_MS = 5;

const NEWLINE = 10;

/** All of standard input, or its first line; null over the limit. Synchronous: a stream takes longer to set up. */
export function readStdin(maxBytes: number, { oneLine = false } = {}): string | null {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSome(chunk);
    if (read === 0) return Buffer.concat(chunks).toString("utf8");
    if (read === null) continue;
    const bytes = chunk.subarray(0, read);
    chunks.push(bytes);
    size += read;
    if (oneLine && bytes.includes(NEWLINE)) return Buffer.concat(chunks).toString("utf8");
  }
  return null;
}

/** The number of bytes read; 0 at the end, null if there are none yet. */
function readSome(chunk: Buffer): number | null {
  try {
    return readSync(0, chunk);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EOF") return 0; // Windows reports the end of a pipe this way.
    if (code !== "EAGAIN") throw error;
    sleepSync(PAUSE_MS);
    return null;
  }
}

/** Blocks the whole process. */
export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
