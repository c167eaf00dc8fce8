import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { Exclusive, Lease, Leases } from "../../core/lease.ts";
import { ID_WORDS, isId } from "../../core/task/task.ts";
import { fileAt, makeFolder } from "../io/folder.ts";
import { isFileAt } from "../io/look.ts";
import { BUSY, type Database, databaseError, openDatabase, sqliteCode } from "./driver.ts";

/** Each lease is a lock on its own file. The system releases it when its holder dies, so no heartbeat is needed. */
export function leasesIn(folder: string): Leases & { takeNow(what: Exclusive): Lease | null } {
  const areTaken = async (whats: readonly Exclusive[]) => whats.map((what) => isLeased(folder, what));
  return {
    takeNow: (what) => takeHurriedly(folder, what),
    async take(what) {
      for (const giveUpMs = Date.now() + LOOKS_MS; ; ) {
        // Opened again each time: a failed attempt may keep part of the lock and block others.
        const lease = takeFile(folder, what);
        if (lease) return lease;
        if (Date.now() > giveUpMs) return null;
        await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));
      }
    },
    areTaken,
    isTaken: async (what) => (await areTaken([what]))[0] ?? false,
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

/** For callers that cannot wait. A process that only checks the lease does not keep them from it. */
function takeHurriedly(folder: string, what: Exclusive): Lease | null {
  for (let tries = 1; ; tries++) {
    const lease = takeFile(folder, what);
    if (lease || tries === HURRIED_TRIES || isLeased(folder, what)) return lease;
  }
}

const HURRIED_TRIES = 5;

function openLock(folder: string, what: Exclusive): { db: Database; path: string } {
  makeFolder(folder);
  const path = pathOf(folder, what);
  return { db: openDatabase(path), path };
}

/** Ids come from files of others too: none leads out of the folder. */
function pathOf(folder: string, what: Exclusive): string {
  if (isName(what)) return join(folder, `${fileName(what)}.lock`);
  throw new RalphError("lease-name", "this id names no lease", { hint: `an id is ${ID_WORDS}` });
}

const isName = (what: Exclusive): boolean => typeof what === "string" || isId(what.id);

/** What names no lease is not taken. */
const isLeased = (folder: string, what: Exclusive): boolean => isName(what) && isLocked(pathOf(folder, what));

/**
 * Whether another connection has the lock. Asks for a share of it, which several processes may have at once and which
 * takes some 50 microseconds; a lock that is held gives none. Synchronous, so no other caller in this process can want
 * the lease meanwhile. A file that cannot be read is not taken, so that one damaged file hides no driver; taking that
 * lease fails.
 */
function isLocked(path: string): boolean {
  if (!isFileAt(path)) return false;
  let db: Database | null = null;
  try {
    db = openDatabase(path, 0);
    // In the header, so that no table that another program made is looked at.
    db.exec("PRAGMA user_version");
    return false;
  } catch (error) {
    return sqliteCode(error) === BUSY;
  } finally {
    db?.close();
  }
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
