import { join } from "node:path";
import type { Lease } from "../core/store.ts";
import { makeFolder } from "../io/folder.ts";
import { BUSY, type Database, databaseError, openDatabase, sqliteCode } from "./driver.ts";

/**
 * Takes the right to drive a loop, or returns null when somebody has it. It is a lock on a small file of its own,
 * which the system releases when the holder dies, however it dies: no heartbeat that a sleeping laptop would miss.
 */
export async function takeLease(folder: string, loop: string): Promise<Lease | null> {
  const { db, path } = await openLock(folder, loop);
  if (lock(db, path)) return { release: () => db.close() };
  db.close();
  return null;
}

/** Whether somebody has it. The look is over before anybody in this process could want it for himself. */
export async function isLeased(folder: string, loop: string): Promise<boolean> {
  const { db, path } = await openLock(folder, loop);
  const isFree = lock(db, path);
  db.close();
  return !isFree;
}

async function openLock(folder: string, loop: string): Promise<{ db: Database; path: string }> {
  makeFolder(folder);
  const path = join(folder, `${loop}.lock`);
  return { db: await openDatabase(path), path };
}

function lock(db: Database, path: string): boolean {
  try {
    // In memory, so that nothing is ever written: on a full disk people still have to see which loops run.
    db.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (sqliteCode(error) === BUSY) return false;
    db.close();
    throw databaseError(error, path);
  }
}
