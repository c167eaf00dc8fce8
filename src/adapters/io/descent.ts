import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import { isEmbedded } from "./environment.ts";

/*
 * Marks this process and all that it starts from now on, in a way that none of them can undo: the hard limit of file
 * locks, which Linux has not used since 2.4. It is inherited by every descendant, whatever that does to its environment,
 * its session, its parent or its folder, and only a process with CAP_SYS_RESOURCE can raise it again. A limit can only
 * be lowered: the upper part counts down for a Ralph inside another one, the lower part names the state folder.
 */
const NAMES = 2 ** 32;
const HIGHEST_LEVEL = 2 ** 20 - 1;

const run = promisify(execFile);
let marking: Promise<void> | null = null;
/** What this process has given itself: it does not descend from itself. */
let ownMark: number | null = null;

/**
 * Once for each process, before it starts the first agent. Without Linux or `prlimit` nothing is marked, nor is a
 * program that runs commands itself: not all that it starts later descends from an agent.
 */
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
    // Not there, or not allowed: environment, ancestors and folder have to do.
  }
}

/** Whether this process descends from one that was marked for this state folder. */
export function isMarked(stateRoot: string): boolean {
  const limit = process.platform === "linux" ? hardLimit() : null;
  return limit !== null && limit !== ownMark && limit % NAMES === nameOf(stateRoot);
}

/** Null: unlimited, or nobody can tell. */
function hardLimit(): number | null {
  try {
    const limit = /^Max file locks\s+\S+\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return limit === undefined || !Number.isSafeInteger(Number(limit)) ? null : Number(limit);
  } catch {
    return null;
  }
}

function nameOf(stateRoot: string): number {
  const real = realOf(stateRoot);
  return createHash("sha256").update(real).digest().readUInt32BE(0);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
