import { closeSync, lstatSync, openSync, rmSync } from "node:fs";
import { fileError } from "../io/folder.ts";
import { isOpen } from "../io/open-file.ts";

const LOOK_MS = 50;
/** Git closes a lock a moment before it renames it: only what stays untouched for so long was left behind. */
const QUIET_MS = 500;
/** Where nobody can tell whether a lock is in use, it has to be as old as this. */
const OLD_MS = 60_000;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a lock of git's is gone. False: somebody still has it after so long. */
export async function lockIsGone(path: string, waitMs: number): Promise<boolean> {
  for (const giveUpMs = Date.now() + waitMs; ; await sleep(LOOK_MS)) {
    if (markOf(path) === null) return true;
    if (Date.now() >= giveUpMs) return false;
  }
}

/**
 * The same for a checkout that nobody but Ralph and its agents use: a git that was killed leaves its lock behind, and
 * nobody else would take it away. A git at work, such as one that has outlived its driver, is waited for.
 */
export async function freeLock(path: string, waitMs: number): Promise<boolean> {
  let quiet = { mark: "", sinceMs: 0 };
  for (const giveUpMs = Date.now() + waitMs; ; await sleep(LOOK_MS)) {
    const mark = markOf(path);
    if (mark === null) return true;
    const nowMs = Date.now();
    if (mark !== quiet.mark || (await inUse(path))) quiet = { mark, sinceMs: nowMs };
    else if (nowMs - quiet.sinceMs >= QUIET_MS && markOf(path) === mark) rmSync(path, { force: true });
    if (nowMs >= giveUpMs) return false;
  }
}

/**
 * Does something while no other process does the same. The lock is held by having it open, so that one of a process
 * that was killed is known as such. Null: somebody still has it after so long.
 */
export async function holding<T>(path: string, waitMs: number, use: () => Promise<T>): Promise<T | null> {
  const giveUpMs = Date.now() + waitMs;
  let lock = take(path);
  while (lock === null) {
    if (!(await freeLock(path, giveUpMs - Date.now()))) return null;
    lock = take(path);
  }
  try {
    return await use();
  } finally {
    rmSync(path, { force: true });
    closeSync(lock);
  }
}

function take(path: string): number | null {
  try {
    return openSync(path, "wx");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return null;
    throw fileError(error, path);
  }
}

/** What becomes another one when the lock is another one. */
function markOf(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : null;
}

async function inUse(path: string): Promise<boolean> {
  const open = await isOpen(path);
  if (open !== null) return open;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < OLD_MS;
}
