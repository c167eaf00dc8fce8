import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** More than a computer runs for one command; the rest of a fork bomb is killed all the same. */
const MOST_PROCESSES = 1_000;

/** All processes that descend from one, nearest first. Linux only. */
export function descendantsOf(pid: number): number[] {
  const found = new Set<number>();
  for (const open = [pid]; open.length > 0 && found.size < MOST_PROCESSES; ) {
    for (const child of childrenOf(open.shift() ?? 0)) {
      if (!found.has(child)) open.push(child);
      found.add(child);
    }
  }
  return [...found];
}

/** Each thread has its own children. */
function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const texts = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1"));
    return texts.flatMap((text) => text.split(" ").filter(Boolean).map(Number));
  } catch {
    return []; // exited
  }
}

/** The command line of a process as words, as far as they are known; empty if it has exited. */
export function commandLineOf(pid: number): string[] {
  try {
    if (process.platform !== "linux") return [execFileSync("ps", ["-o", "command=", "-p", String(pid)]).toString()];
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return words.at(-1) === "" ? words.slice(0, -1) : words;
  } catch {
    return [];
  }
}
