import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkoutRoot } from "../io/checkout.ts";
import { isFileAt, isFolderAt, textAt } from "../io/look.ts";

const MOST_BYTES = 64 << 10;

/** The end of the reflog of a checkout's HEAD, read without git; empty if there is none. */
export function headLog(cwd: string): string {
  const root = checkoutRoot(cwd);
  if (root === null) return "";
  const dotGit = join(root, ".git");
  const gitDir = isFolderAt(dotGit) ? dotGit : /^gitdir: (.+)$/m.exec(textAt(dotGit))?.[1];
  return gitDir === undefined ? "" : endOf(join(resolve(root, gitDir), "logs", "HEAD"));
}

/** Reflogs may be off, or stored in another way. */
function endOf(path: string): string {
  if (!isFileAt(path)) return "";
  const file = openSync(path, "r");
  try {
    const stats = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(MOST_BYTES, stats.size));
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, stats.size - buffer.length));
  } finally {
    closeSync(file);
  }
}
