import { closeSync, constants, fstatSync, openSync, read } from "node:fs";
import { promisify } from "node:util";

/** A byte range of a file that Ralph wrote and that another process may have changed since. */
interface Stretch {
  path: string;
  from: number;
  /** The end; by default the end of the file. */
  to?: number;
  /** The expected file; any by default. */
  file?: string;
}

const CHUNK_BYTES = 1 << 16;
/** NUL bytes at the start of a file that was truncated while it was open. No text has this many in a row. */
const HOLE = Buffer.alloc(16);

const readAt = promisify(read);

/** Identifies a file by device and inode, so that a replacement is detected. */
export const fileId = (fd: number): string => {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev}:${ino}`;
};

/**
 * Reads a byte range in pieces. Returns null, or the reason why the content cannot be trusted. Never blocks on a named
 * pipe.
 */
export async function readStretch(stretch: Stretch, take: (chunk: Buffer) => void): Promise<string | null> {
  let fd: number | null = null;
  try {
    // Windows has no named pipes among its files and no O_NONBLOCK.
    fd = openSync(stretch.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const fault = faultOf(fd, stretch);
    return fault ?? (await readPieces(fd, stretch, take));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return code === "ENOENT" ? "it is gone" : `it cannot be read (${code || String(error)})`;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function faultOf(fd: number, { from, to, file }: Stretch): string | null {
  const stats = fstatSync(fd);
  if (!stats.isFile()) return "it is no longer a file";
  if (file !== undefined && file !== fileId(fd)) return "another file is in its place";
  return stats.size < (to ?? from) ? "it was truncated" : null;
}

async function readPieces(fd: number, { from, to }: Stretch, take: (chunk: Buffer) => void): Promise<string | null> {
  for (let at = from; at < (to ?? Number.POSITIVE_INFINITY); ) {
    const length = Math.min(CHUNK_BYTES, (to ?? Number.POSITIVE_INFINITY) - at);
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (chunk.includes(HOLE)) return "it was truncated while it was written";
    take(chunk);
    at += bytesRead;
  }
  return null;
}
