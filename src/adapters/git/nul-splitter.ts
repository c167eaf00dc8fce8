import { lineSplitter } from "../io/lines.ts";

const PATH_BYTES = 64 << 10;

/** Splits git's `-z` output into entries while it streams, because the list may be as long as the tree is large. */
export const nulSplitter = (onEntry: (text: string) => void, encoding: BufferEncoding = "utf8") =>
  lineSplitter(PATH_BYTES, (bytes) => onEntry(bytes.toString(encoding)), 0);
