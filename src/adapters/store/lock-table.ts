import { readFileSync, statSync } from "node:fs";

/** The byte that SQLite locks for writing in every file that a connection has for itself: SHARED_FIRST. */
const OWN_BYTE = 0x40000002;

/** The locks that Linux shows: a POSIX write lock with its range, on a file named by device and inode. */
const WRITE_LOCK = /POSIX +\S+ +WRITE +-?\d+ +([0-9a-f]+):([0-9a-f]+):(\d+) +(\d+) +(\d+|EOF)$/gm;

/** Whether a file is certainly locked for writing, as `seenLocks` found it. */
export type SeenLocks = (path: string) => boolean;

/**
 * The files that are locked now, from one read of the kernel's table. The file itself is only looked up: opening it
 * would be slow, and closing it would end the locks that this process has on it. False proves nothing: the table hides
 * the locks of other PID namespaces and machines, is read in pages while it changes, and some file systems report
 * another device there.
 */
export function seenLocks(): SeenLocks {
  const locked = lockedFiles();
  return (path) => {
    if (locked.size === 0) return false;
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && locked.has(`${majorOf(found.dev)}:${minorOf(found.dev)}:${found.ino}`);
  };
}

function lockedFiles(): ReadonlySet<string> {
  const files = new Set<string>();
  for (const [, major = "", minor = "", inode, from, to] of tableText().matchAll(WRITE_LOCK)) {
    const isOwned = Number(from) <= OWN_BYTE && (to === "EOF" || OWN_BYTE <= Number(to));
    if (isOwned) files.add(`${Number.parseInt(major, 16)}:${Number.parseInt(minor, 16)}:${inode}`);
  }
  return files;
}

/** Empty where there is no such table, or none that may be read. */
function tableText(): string {
  if (process.platform !== "linux") return "";
  try {
    return readFileSync("/proc/locks", "latin1");
  } catch {
    return "";
  }
}

/** The parts of a device number as Linux packs them. */
const majorOf = (dev: bigint): bigint => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
const minorOf = (dev: bigint): bigint => (dev & 0xffn) | ((dev >> 12n) & ~0xffn & 0xffffffffn);
