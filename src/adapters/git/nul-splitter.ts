import { lineSplitter } from "../io/lines.ts";

const PATH_BYTES = 64 << 10;

/** Reads the entries of a list as git prints it with `-z`, as they come: it is as long as the tree is large. */
export const nulSplitter = (onEntry: (text: string) => void) =>
  lineSplitter(PATH_BYTES, (bytes) => onEntry(bytes.toString()), 0);
