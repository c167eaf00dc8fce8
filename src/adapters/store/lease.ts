import { join } from "node:path";
import type { Exclusive, Lease, Leases } from "../../core/lease.ts";
import { fileAt, makeFolder } from "../io/folder.ts";
import { BUSY, type Database, databaseError, openDatabase, sqliteCode } from "./driver.ts";

/** Each lease is a lock on its own file. The system releases it when its holder dies, so no heartbeat is needed. */
export function leasesIn(folder: string): Leases & { takeNow(what: Exclusive): Lease | null } {
  /** Tries once, for callers that cannot wait. Fails while another process only checks the lease. */
  const takeNow = (what: Exclusive) => takeFile(folder, what);
  return {
    takeNow,
    async take(what) {
      for (const giveUpMs = Date.now() + LOOKS_MS; ; ) {
        // Opened again each time: a failed attempt may keep part of the lock and block others.
        const lease = takeNow(what);
        if (lease) return lease;
        if (Date.now() > giveUpMs) return null;
        await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));
      }
    },
    // Synchronous, so no other caller in this process can want the lease meanwhile.
    async isTaken(what) {
      const { db, path } = openLock(folder, what);
      const isFree = lock(db, path);
      db.close();
      return !isFree;
    },
  };
}

/** How long a process that only checks a lease may block it, even if the system suspends it meanwhile. */
const LOOKS_MS = 50;
/** How often to check the file of a lease: a removed file excludes no other process. */
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
    // SQLite must not wait: that would block everything else in this process. Its journal is in memory, so that nothing
    // is written: users can see which loops run even when the disk is full.
    db.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (sqliteCode(error) === BUSY) return false;
    db.close();
    throw databaseError(error, path);
  }
}
