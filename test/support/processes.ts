import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Living processes, other than this one, whose environment has this assignment, or one with this prefix. */
export function processesWith(assignment: string): number[] {
  const found = process.platform === "linux" ? fromProc(assignment) : fromPs(assignment);
  return found.filter((pid) => pid !== process.pid);
}

/** Kills them until none is left: each may have started another. */
export function killProcessesWith(assignment: string, isSpared: (pid: number) => boolean = () => false): void {
  for (let look = 0; look < 20; look++) {
    const pids = processesWith(assignment).filter((pid) => !isSpared(pid));
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
  }
}

/** A file of /proc about a process; empty once it has ended. */
export function procFile(pid: number | string, name: "cmdline" | "environ" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** The command line of a process, as words. */
export const commandOf = (pid: number): string => procFile(pid, "cmdline").replaceAll("\0", " ");

/** On Linux, else null. */
export function parentOf(pid: number): number | null {
  const parent = /\) \S (\d+)/.exec(procFile(pid, "stat"))?.[1];
  return parent === undefined ? null : Number(parent);
}

function fromProc(assignment: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && `\0${procFile(name, "environ")}`.includes(`\0${assignment}`))
    .map(Number);
}

function fromPs(assignment: string): number[] {
  const table = execFileSync("ps", ["-Aeww", "-o", "pid=,command="], { encoding: "latin1", maxBuffer: 64 << 20 });
  return table
    .split("\n")
    .filter((line) => line.includes(` ${assignment}`))
    .map((line) => Number.parseInt(line, 10));
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
