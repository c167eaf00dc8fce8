import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Lease } from "../core/store.ts";
import { openDatabase, sqliteCode } from "./driver.ts";

/**
 * Takes the right to drive a loop, or returns null when somebody has it. It is a lock on a small file of its own,
 * which the system releases when the holder dies, however it dies: no heartbeat that a sleeping laptop would miss.
 */
export async function takeLease(folder: string, loop: string): Promise<Lease | null> {
  mkdirSync(folder, { recursive: true });
  const db = await openDatabase(join(folder, `${loop}.lock`));
  try {
    db.exec("PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (sqliteCode(error) === 5) return null;
    throw error;
  }
}
