import { closeSync, constants, fstatSync, openSync, read } from "node:fs";
import { promisify } from "node:util";

/** A piece of a file that we wrote, and that another process of the same user may have touched since. */
interface Stretch {
  path: string;
  from: number;
  /** Where it ends; at the file's end when left out. */
  to?: number;
  /** Which file it was; any when left out. */
  file?: string;
}

const CHUNK_BYTES = 1 << 16;
/** What is left where a file was emptied under its writer's hands: no text has so many of them in a row. */
const HOLE = Buffer.alloc(16);

const readAt = promisify(read);

/** What tells a file from another one that is put in its place. */
export const fileId = (fd: number): string => {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev}:${ino}`;
};

/**
 * Hands on a stretch piece by piece. Null: all of it was read; otherwise why it cannot be relied on. A pipe of that name
 * is never waited for.
 */
export async function readStretch(stretch: Stretch, take: (chunk: Buffer) => void): Promise<string | null> {
  let fd: number | null = null;
  try {
    // Windows has no pipes among its files, and no word for not waiting.
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
  const there = fstatSync(fd);
  if (!there.isFile()) return "it is no file any more";
  if (file !== undefined && file !== fileId(fd)) return "another file is in its place";
  return there.size < (to ?? from) ? "it was cut short" : null;
}

async function readPieces(fd: number, { from, to }: Stretch, take: (chunk: Buffer) => void): Promise<string | null> {
  for (let at = from; at < (to ?? Number.POSITIVE_INFINITY); ) {
    const length = Math.min(CHUNK_BYTES, (to ?? Number.POSITIVE_INFINITY) - at);
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    if (chunk.includes(HOLE)) return "it was cut short while it was written";
    take(chunk);
    at += bytesRead;
  }
  return null;
}
