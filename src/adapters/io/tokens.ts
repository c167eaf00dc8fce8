import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { variablesIn } from "./ancestry.ts";
import { RUN_VARIABLE } from "./environment.ts";

/** Ids of running processes whose run token starts with `prefix`, except this process. */
export function findByToken(prefix: string): number[] {
  const mark = `${RUN_VARIABLE}=${prefix}`;
  const found = process.platform === "linux" ? scanProc(mark) : scanPs(mark);
  return found.filter((pid) => pid !== process.pid);
}

/** Ids of running processes with such an environment, except this process. Only on Linux; none elsewhere. */
export function findByEnvironment(isWanted: (env: NodeJS.ProcessEnv) => boolean): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => isWanted(variablesIn(environmentOf(pid).split("\0")))).map(Number);
}

function scanProc(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`\0${mark}`))
    .map(Number);
}

/** Empty for a process that has exited or belongs to another user. */
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

/** Enough to outrun anything but a fork bomb. */
const LOOKS = 20;

/** Kills every process with the token and repeats until none is left: a process may have forked since it was found. */
export function sweep(prefix: string): void {
  for (let look = 0; look < LOOKS; look++) {
    const pids = findByToken(prefix);
    if (pids.length === 0) return;
    for (const pid of pids) send(pid, "SIGKILL");
  }
}

/** Sends a signal to a process, or to a group if negative. False if there is no such process. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
