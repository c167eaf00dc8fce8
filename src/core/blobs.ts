/** A range of a blob. */
export interface BlobPiece {
  /** Its name or its location; journals contain the location. */
  path: string;
  from: number;
  /** Its end; the blob's end if omitted. */
  to?: number;
  /** The identity of the blob when it was written, in case another file replaced it. Any if omitted. */
  file?: string;
}

/** A blob that is appended to. Writes are synchronous. */
export interface BlobWriter {
  /** Its location for display, which is also accepted as its name. */
  readonly path: string;
  readonly bytes: number;
  /** Creates it now rather than with the first write. */
  create(): void;
  /** The identity of the blob, which changes if another file replaces it; creates it if needed. */
  id(): string;
  write(chunk: Buffer): void;
  close(): void;
}

/**
 * Data stored beside the journal by name: logs, and records of protected files. Names have `/` between their parts and
 * do not depend on the machine.
 */
export interface Blobs {
  /** The blobs whose names start with this one. */
  in(name: string): Blobs;
  /** Opens a blob; the first write replaces existing content. */
  write(name: string): BlobWriter;
  /** Stores a whole blob, durably: a reader sees the old one or the new one. */
  put(name: string, content: string | Buffer): Promise<void>;
  /** The whole blob; null if it does not exist, cannot be read, or is larger than the limit. */
  get(name: string, maxBytes?: number): Promise<Buffer | null>;
  /** Reads a range as far as it exists, or until `quit`. Throws a RalphError if there is no such blob. */
  read(piece: BlobPiece, quit?: AbortSignal): AsyncGenerator<Buffer>;
  /** Streams a range unchanged. Null: all of it was read; otherwise why the content is not reliable. */
  readIntact(piece: BlobPiece, take: (chunk: Buffer) => void): Promise<string | null>;
  /** Its size; 0 if something else is in its place, null if it does not exist. */
  size(name: string): Promise<number | null>;
  /** Removes a blob, and those whose names start with its name. */
  remove(name: string): Promise<void>;
}
