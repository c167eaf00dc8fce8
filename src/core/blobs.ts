/** A stretch of a blob. */
export interface BlobPiece {
  /** Its name, or where it was found: journals contain the latter. */
  path: string;
  from: number;
  /** Where it ends; at the blob's end when left out. */
  to?: number;
  /** Which blob it was when it was written: another one may be put in its place. Any when left out. */
  file?: string;
}

/** A blob that grows. Writes are synchronous: its writer does not wait for a queue. */
export interface BlobWriter {
  /** Where people find it; the blobs know it by that, too. */
  readonly path: string;
  readonly bytes: number;
  /** Creates it now rather than with the first write. */
  create(): void;
  /** The identity of the blob, which differs if another file replaces it; creates it if needed. */
  id(): string;
  write(chunk: Buffer): void;
  close(): void;
}

/**
 * What is kept beside the journal by name: logs, and the records of what is protected. Names have `/` between their
 * parts and say nothing about a machine.
 */
export interface Blobs {
  /** The blobs whose names begin with this one. */
  in(name: string): Blobs;
  /** Opens a new blob, or an old one that is emptied by the first write. */
  write(name: string): BlobWriter;
  /** Stores a whole blob, durably: a reader sees the old one or the new one. */
  put(name: string, content: string | Buffer): Promise<void>;
  /** The whole blob; null if it does not exist, cannot be read, or is larger than that. */
  get(name: string, maxBytes?: number): Promise<Buffer | null>;
  /** Reads a range as far as it exists. Throws if there is no such blob. */
  read(piece: BlobPiece): AsyncGenerator<Buffer>;
  /** Passes on a stretch as it was written. Null: all of it was read; otherwise why it cannot be relied on. */
  readIntact(piece: BlobPiece, take: (chunk: Buffer) => void): Promise<string | null>;
  /** Its size; null if it does not exist. */
  size(name: string): Promise<number | null>;
  /** Removes a blob, and those whose names begin with its name. */
  remove(name: string): Promise<void>;
}
