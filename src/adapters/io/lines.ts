const NEWLINE = 10;

/** Splits a byte stream into lines. Skips lines longer than the limit, so that memory stays bounded. */
export function lineSplitter(
  maxLineBytes: number,
  onLine: (line: Buffer) => void,
  separator = NEWLINE,
): { add(chunk: Buffer): void; end(): void } {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let skipping = false;

  const hold = (piece: Buffer) => {
    pendingBytes += piece.length;
    if (pendingBytes > maxLineBytes) {
      skipping = true;
      pending = [];
    }
    if (!skipping && piece.length > 0) pending.push(piece);
  };
  const emit = () => {
    const [only] = pending;
    if (!skipping && only && pendingBytes > 0) onLine(pending.length === 1 ? only : Buffer.concat(pending));
    pending = [];
    pendingBytes = 0;
    skipping = false;
  };
  return {
    add(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
        hold(chunk.subarray(start, end));
        emit();
        start = end + 1;
      }
      hold(chunk.subarray(start));
    },
    end: emit,
  };
}

const PATH_BYTES = 64 << 10;

/** Splits git's `-z` output into entries while it streams, because the list may be as long as the tree is large. */
export const nulSplitter = (onEntry: (text: string) => void, encoding: BufferEncoding = "utf8") =>
  lineSplitter(PATH_BYTES, (bytes) => onEntry(bytes.toString(encoding)), 0);
