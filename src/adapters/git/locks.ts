import { closeSync, lstatSync, openSync, readlinkSync, rmSync } from "node:fs";
import { codeOf } from "../../core/errors.ts";
import { fileError } from "../io/folder.ts";
import { namesIn } from "../io/look.ts";
import { runProgram } from "../io/program.ts";

const LOOK_MS = 50;
/** Git closes a lock shortly before it renames it: a lock is stale only if it stays unchanged for this long. */
const QUIET_MS = 500;
/** The minimum age of a stale lock where the platform cannot show whether it is open. */
const OLD_MS = 60_000;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a git lock file is gone. False if it still exists after `waitMs`. */
export async function lockIsGone(path: string, waitMs: number): Promise<boolean> {
  for (const giveUpMs = Date.now() + waitMs; ; await sleep(LOOK_MS)) {
    if (markOf(path) === null) return true;
    if (Date.now() >= giveUpMs) return false;
  }
}

/** Like `lockIsGone`, but removes what a killed git left behind. Only for checkouts that Ralph alone manages. */
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

/** Runs `use` with a lock file kept open, so that a killed holder's is stale. Null if still taken after `waitMs`. */
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
    if (codeOf(error) === "EEXIST") return null;
    throw fileError(error, path);
  }
}

/** Identifies a lock file: a different lock has a different mark. */
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

/** Whether a process of this user has a file open, given by its real path; null if unknown. */
async function isOpen(path: string): Promise<boolean | null> {
  if (process.platform === "linux") return namesIn("/proc").some((pid) => /^\d+$/.test(pid) && holds(pid, path));
  const { code, stdout } = await runProgram({ file: "lsof", args: ["-t", "--", path], cwd: "/" });
  return code === null ? null : stdout.trim() !== "";
}

/** None of a process that has exited or belongs to another user. */
const holds = (pid: string, path: string): boolean =>
  namesIn(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === path);

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // closed in the meantime
  }
}
