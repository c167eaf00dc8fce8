const NEWLINE = 10;

/** Cuts a byte stream into lines and hands each one on. A line beyond the cap is passed over: memory stays bounded. */
export function lineSplitter(
  maxLineBytes: number,
  onLine: (line: Buffer) => void,
  separator = NEWLINE,
): { add(chunk: Buffer): void; end(): void } {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let skipping = false;

  const hold = (piece: Buffer) => {
    heldBytes += piece.length;
    if (heldBytes > maxLineBytes) {
      skipping = true;
      held = [];
    }
    if (!skipping && piece.length > 0) held.push(piece);
  };
  const emit = () => {
    const [only] = held;
    if (!skipping && only && heldBytes > 0) onLine(held.length === 1 ? only : Buffer.concat(held));
    held = [];
    heldBytes = 0;
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
