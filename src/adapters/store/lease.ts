import { join } from "node:path";
import type { Lease } from "../../core/store.ts";
import { fileAt } from "../io/file-at.ts";
import { makeFolder } from "../io/folder.ts";
import { BUSY, type Database, databaseError, openDatabase, sqliteCode } from "./driver.ts";

/**
 * Takes the right to drive a loop, or returns null when somebody has it. It is a lock on a small file of its own,
 * which the system releases when the holder dies, however it dies: no heartbeat that a sleeping laptop would miss.
 */
export async function takeLease(folder: string, loop: string): Promise<Lease | null> {
  for (const giveUpMs = Date.now() + LOOKS_MS; ; ) {
    // Opened anew: a try that fails may keep some of the lock, and keep it from others who try.
    const lease = takeLeaseNow(folder, loop);
    if (lease) return lease;
    if (Date.now() > giveUpMs) return null;
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));
  }
}

/** The same in one try, for callers that cannot wait: somebody who only looks may be in the way. */
export function takeLeaseNow(folder: string, loop: string): Lease | null {
  const { db, path } = openLock(folder, loop);
  if (!lock(db, path)) {
    db.close();
    return null;
  }
  const file = fileAt(path);
  return { isHeld: () => file !== null && fileAt(path) === file, release: () => db.close() };
}

/** How long somebody who only looks may be in the way, in a process that the system has put aside meanwhile. */
const LOOKS_MS = 50;

/** Whether somebody has it. The look is over before anybody in this process could want it for himself. */
export function isLeased(folder: string, loop: string): boolean {
  const { db, path } = openLock(folder, loop);
  const isFree = lock(db, path);
  db.close();
  return !isFree;
}

function openLock(folder: string, loop: string): { db: Database; path: string } {
  makeFolder(folder);
  const path = join(folder, `${loop}.lock`);
  return { db: openDatabase(path), path };
}

function lock(db: Database, path: string): boolean {
  try {
    // Nobody is waited for inside of SQLite: that would hold up everything else in this process.
    // In memory, so that nothing is ever written: on a full disk people still have to see which loops run.
    db.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (sqliteCode(error) === BUSY) return false;
    db.close();
    throw databaseError(error, path);
  }
}
