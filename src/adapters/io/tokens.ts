import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { RUN_VARIABLE } from "./run-variable.ts";

/** Ids of the living processes whose run token begins with `prefix`, this process excepted. */
export function findByToken(prefix: string): number[] {
  const mark = `${RUN_VARIABLE}=${prefix}`;
  const found = process.platform === "linux" ? scanProc(mark) : scanPs(mark);
  return found.filter((pid) => pid !== process.pid);
}

function scanProc(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`\0${mark}`))
    .map(Number);
}

/** A process that ended since, or belongs to somebody else, has nothing to show. */
function environmentOf(pid: string): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`;
  } catch {
    return "";
  }
}

function scanPs(mark: string): number[] {
  const table = execFileSync("ps", ["-Aeww", "-o", "pid=,command="], { encoding: "latin1", maxBuffer: 64 << 20 });
  return table
    .split("\n")
    .filter((line) => line.includes(` ${mark}`))
    .map((line) => Number.parseInt(line, 10));
}

/** More looks than it takes to outrun anything but a fork bomb. */
const LOOKS = 20;

/** Kills whatever carries the token, and looks again until nothing does: a process may have forked since it was found. */
export function sweep(prefix: string): void {
  for (let look = 0; look < LOOKS; look++) {
    const pids = findByToken(prefix);
    if (pids.length === 0) return;
    for (const pid of pids) send(pid, "SIGKILL");
  }
}

/** Sends a signal to a process (or, negative, its group); false when nobody is there. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
