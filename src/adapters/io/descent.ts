import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import { isEmbedded } from "./environment.ts";

/*
 * Marks this process and everything it starts, so that none of them can remove the mark: the hard limit of file
 * locks, which Linux has not used since 2.4. Every descendant inherits it, whatever it does to its environment, session,
 * parent or folder, and only a process with CAP_SYS_RESOURCE can raise it again. A limit can only be lowered: the upper
 * part counts down for nested runs of Ralph, the lower part identifies the state folder.
 */
const NAMES = 2 ** 32;
const HIGHEST_LEVEL = 2 ** 20 - 1;

const run = promisify(execFile);
let marking: Promise<void> | null = null;
/** The mark that this process has set on itself, which does not make it a descendant. */
let ownMark: number | null = null;

/** Called before the first agent starts. Not inside another program, where not everything descends from an agent. */
export function markDescendants(stateRoot: string): Promise<void> {
  if (isEmbedded()) return Promise.resolve();
  marking ??= process.platform === "linux" ? mark(stateRoot) : Promise.resolve();
  return marking;
}

async function mark(stateRoot: string): Promise<void> {
  const limit = hardLimit();
  const level = limit === null ? HIGHEST_LEVEL : Math.floor(limit / NAMES) - 1;
  if (level < 0) return;
  const wanted = level * NAMES + nameOf(stateRoot);
  try {
    await run("prlimit", ["--pid", String(process.pid), `--locks=${wanted}:${wanted}`]);
    ownMark = wanted;
  } catch {
    // Missing or not permitted: the environment, ancestors and folder must be enough.
  }
}

/** Whether this process descends from one marked for this state folder. */
export function isMarked(stateRoot: string): boolean {
  const limit = process.platform === "linux" ? hardLimit() : null;
  return limit !== null && limit !== ownMark && limit % NAMES === nameOf(stateRoot);
}

/** The same for another process. */
export function isMarkedAt(stateRoot: string, pid: number): boolean {
  const limit = process.platform === "linux" ? hardLimit(pid) : null;
  return limit !== null && limit % NAMES === nameOf(stateRoot);
}

/** Null if unlimited or unknown. */
function hardLimit(pid: number | "self" = "self"): number | null {
  try {
    const limit = /^Max file locks\s+\S+\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1];
    return limit === undefined || !Number.isSafeInteger(Number(limit)) ? null : Number(limit);
  } catch {
    return null;
  }
}

function nameOf(stateRoot: string): number {
  return createHash("sha256").update(realOf(stateRoot)).digest().readUInt32BE(0);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
