import { join } from "node:path";
import type { Lease } from "../core/store.ts";
import { makeFolder } from "../io/folder.ts";
import { BUSY, databaseError, openDatabase, sqliteCode } from "./driver.ts";

/**
 * Takes the right to drive a loop, or returns null when somebody has it. It is a lock on a small file of its own,
 * which the system releases when the holder dies, however it dies: no heartbeat that a sleeping laptop would miss.
 */
export async function takeLease(folder: string, loop: string): Promise<Lease | null> {
  makeFolder(folder);
  const path = join(folder, `${loop}.lock`);
  const db = await openDatabase(path);
  try {
    // In memory, so that nothing is ever written: on a full disk people still have to see which loops run.
    db.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (sqliteCode(error) === BUSY) return null;
    throw databaseError(error, path);
  }
}
