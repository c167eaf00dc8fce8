import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, read, type Stats, writeSync } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import type { BlobPiece, Blobs, BlobWriter } from "../../core/blobs.ts";
import { codeOf, RalphError } from "../../core/errors.ts";
import { fileError, makeFolder } from "./folder.ts";

const CHUNK_BYTES = 1 << 16;
/** The trace of a file that was truncated while it was written: no text has that many NUL bytes in a row. */
const HOLE = Buffer.alloc(16);
/** Larger than any record of Ralph. */
const MOST_BYTES = 512 << 20;
/** Another process may replace the file with a pipe: opening it must not block. Windows has no O_NONBLOCK. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A log is a file of Ralph's; a link in its place leads to another file. Windows has no O_NOFOLLOW. */
const READ_OWN = READ | (constants.O_NOFOLLOW ?? 0);

/** Blobs as files below a folder. A name may be an absolute path, as in journals and views. */
export function fileBlobs(root: string): Blobs {
  const at = (name: string): string => resolve(root, name);
  return {
    in: (name) => fileBlobs(at(name)),
    write: (name) => openWriter(at(name)),
    put: (name, content) => replaceDurably(at(name), content),
    get: (name, maxBytes = MOST_BYTES) => contentOf(at(name), maxBytes),
    read: (piece, quit) => readShown({ ...piece, path: at(piece.path) }, quit),
    readIntact: (piece, take) => readIntact({ ...piece, path: at(piece.path) }, take),
    size: (name) =>
      lstat(at(name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => null,
      ),
    remove: (name) => rm(at(name), { recursive: true, force: true }),
  };
}

function openWriter(path: string): BlobWriter {
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
    // The page cache is faster than the bookkeeping of a queue.
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
    // The folder does not exist yet. Any other error occurs again.
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

/** The journal is durable, so everything it refers to must be durable first. */
async function replaceDurably(path: string, content: string | Buffer): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    makeFolder(dirname(path));
    const file = await open(draft, "wx");
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw fileError(error, path);
  }
}

async function contentOf(path: string, maxBytes: number): Promise<Buffer | null> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, READ);
    const found = await file.stat();
    return found.isFile() && found.size <= maxBytes ? await file.readFile() : null;
  } catch {
    return null;
  } finally {
    await file?.close();
  }
}

async function* readShown(piece: BlobPiece, quit?: AbortSignal): AsyncGenerator<Buffer> {
  const fd = openOwn(piece);
  try {
    const why = strangerIn(fd, piece);
    if (why !== null) throw unreadable(piece, why);
    yield* chunksOf(fd, { from: piece.from, to: piece.to ?? Number.POSITIVE_INFINITY }, quit);
  } finally {
    closeSync(fd);
  }
}

function openOwn(piece: BlobPiece): number {
  try {
    return openSync(piece.path, READ_OWN);
  } catch (error) {
    throw unreadable(piece, whyOf(error), error);
  }
}

const unreadable = ({ path }: BlobPiece, why: string, cause?: unknown): RalphError =>
  new RalphError("log-missing", `${path} cannot be shown: ${why}`, {
    hint: "it was changed by something other than Ralph: restore it, or do without it",
    cause,
  });

/** A copy of the state folder has other identities and is shown; a hard link to another file is not. */
function strangerIn(fd: number, { file }: BlobPiece): string | null {
  const found: Stats = fstatSync(fd);
  if (!found.isFile()) return NO_FILE;
  return file !== undefined && found.nlink > 1 && file !== fileId(fd) ? "another file is in its place" : null;
}

const NO_FILE = "it is no longer a file";

function whyOf(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOENT") return "it is gone";
  return code === "ELOOP" ? NO_FILE : `it cannot be read (${code || String(error)})`;
}

/** Distinguishes a file from another one put in its place. */
function fileId(fd: number): string {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev}:${ino}`;
}

async function readIntact(piece: BlobPiece, take: (chunk: Buffer) => void): Promise<string | null> {
  let fd: number | null = null;
  try {
    fd = openSync(piece.path, READ_OWN);
    const fault = faultOf(fd, piece);
    if (fault !== null) return fault;
    for await (const chunk of chunksOf(fd, { from: piece.from, to: piece.to ?? Number.POSITIVE_INFINITY })) {
      if (chunk.includes(HOLE)) return "it was cut short while it was written";
      take(chunk);
    }
    return null;
  } catch (error) {
    return whyOf(error);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function faultOf(fd: number, { from, to, file }: BlobPiece): string | null {
  const there = fstatSync(fd);
  if (!there.isFile()) return NO_FILE;
  if (file !== undefined && file !== fileId(fd)) return "another file is in its place";
  return there.size < (to ?? from) ? "it was cut short" : null;
}

const readAt = promisify(read);

async function* chunksOf(
  fd: number,
  { from, to }: { from: number; to: number },
  quit?: AbortSignal,
): AsyncGenerator<Buffer> {
  for (let at = from; at < to && !quit?.aborted; ) {
    const length = Math.min(CHUNK_BYTES, to - at);
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
