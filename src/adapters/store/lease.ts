import { join } from "node:path";
import type { Exclusive, Lease, Leases } from "../../core/store.ts";
import { fileAt, makeFolder } from "../io/folder.ts";
import { BUSY, type Database, databaseError, openDatabase, sqliteCode } from "./driver.ts";

/** Each lease is a lock on its own file, which the system releases when its holder dies: no heartbeat to be missed. */
export function leasesIn(folder: string): Leases & { takeNow(what: Exclusive): Lease | null } {
  /** In one try, for callers that cannot wait: a process that only looks may be in the way. */
  const takeNow = (what: Exclusive) => takeFile(folder, what);
  return {
    takeNow,
    async take(what) {
      for (const giveUpMs = Date.now() + LOOKS_MS; ; ) {
        // Opened anew: a try that fails may keep some of the lock, and keep it from others who try.
        const lease = takeNow(what);
        if (lease) return lease;
        if (Date.now() > giveUpMs) return null;
        await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));
      }
    },
    // The look is over before another caller in this process could want it for itself.
    async isTaken(what) {
      const { db, path } = openLock(folder, what);
      const isFree = lock(db, path);
      db.close();
      return !isFree;
    },
  };
}

/** How long a process that only looks may be in the way, where the system has put it aside meanwhile. */
const LOOKS_MS = 50;
/** How often the file of a lease is looked at: one that was removed keeps no other process away. */
const LOST_MS = 1_000;

function takeFile(folder: string, what: Exclusive): Lease | null {
  const { db, path } = openLock(folder, what);
  if (!lock(db, path)) {
    db.close();
    return null;
  }
  const file = fileAt(path);
  const isHeld = () => file !== null && fileAt(path) === file;
  const lost = new AbortController();
  const looking = setInterval(() => {
    if (!isHeld()) lost.abort();
  }, LOST_MS).unref();
  let isReleased = false;
  return {
    isHeld,
    lost: lost.signal,
    release() {
      if (isReleased) return;
      isReleased = true;
      clearInterval(looking);
      db.close();
    },
  };
}

function openLock(folder: string, what: Exclusive): { db: Database; path: string } {
  makeFolder(folder);
  const path = join(folder, `${fileName(what)}.lock`);
  return { db: openDatabase(path), path };
}

function fileName(what: Exclusive): string {
  if (typeof what === "string") return what;
  return what.kind === "loop" ? what.id : `${what.kind}-${what.id}`;
}

function lock(db: Database, path: string): boolean {
  try {
    // Nothing waits inside of SQLite: that would hold up everything else in this process.
    // In memory, so that nothing is ever written: on a full disk people still have to see which loops run.
    db.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (sqliteCode(error) === BUSY) return false;
    db.close();
    throw databaseError(error, path);
  }
}
