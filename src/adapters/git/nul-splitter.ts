import { lineSplitter } from "../io/lines.ts";

const PATH_BYTES = 64 << 10;

/** Splits git's `-z` output into entries while it streams, because the list may be as long as the tree is large. */
export const nulSplitter = (onEntry: (text: string) => void) =>
  lineSplitter(PATH_BYTES, (bytes) => onEntry(bytes.toString()), 0);
