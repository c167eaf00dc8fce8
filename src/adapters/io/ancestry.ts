import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { RUN_VARIABLE } from "./environment.ts";

/** How `supervisor-script.ts` names a supervisor. */
const SUPERVISOR = /^ralph-supervisor ([^\0 ]+)/;

/** Deeper than any realistic chain of shells and programs. */
const MOST_ANCESTORS = 64;

/**
 * The start environments of a process's ancestors (this one's by default) and of its group and session leaders. A process can drop a
 * variable from its own environment, but not from that of its parent. After the parent has exited, the process still
 * belongs to its session.
 */
export function relativeEnvironments(of = process.pid): NodeJS.ProcessEnv[] {
  const look = process.platform === "linux" ? procOf : psOf();
  const own = look(of);
  if (!own) return [];
  const pids = new Set<number>();
  for (let at: ProcessEntry | null = own; at && at.parent > 1 && pids.size < MOST_ANCESTORS; at = look(at.parent))
    pids.add(at.parent);
  for (const leader of [own.group, own.session]) if (leader > 1 && leader !== of) pids.add(leader);
  return [...pids].map((pid) => look(pid)?.environment() ?? {});
}

/** The start environment of another process; empty if it has exited, and where there is no /proc. */
export const environmentAt = (pid: number): NodeJS.ProcessEnv =>
  process.platform === "linux" ? (procOf(pid)?.environment() ?? {}) : {};

interface ProcessEntry {
  parent: number;
  group: number;
  session: number;
  environment(): NodeJS.ProcessEnv;
}

/** Null if it has exited. The environment of another user's process is empty. */
function procOf(pid: number): ProcessEntry | null {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === "") return null;
  // The program name in front may contain spaces and parentheses.
  const [, parent, group, session] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return {
    parent: parent ?? 0,
    group: group ?? 0,
    session: session ?? 0,
    environment: () => ({ ...variablesIn(textOf(`/proc/${pid}/environ`).split("\0")), ...supervised(pid) }),
  };
}

/** The run token of a supervisor, which adopts processes that have lost their parent. */
function supervised(pid: number): NodeJS.ProcessEnv {
  const token = SUPERVISOR.exec(textOf(`/proc/${pid}/cmdline`))?.[1];
  return token === undefined ? {} : { [RUN_VARIABLE]: token };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // exited, or owned by another user
  }
}

/** Lists all processes where there is no /proc. `ps` prints the environment after the command line. */
function psOf(): (pid: number) => ProcessEntry | null {
  const format = "pid=,ppid=,pgid=,sess=,command=";
  const table = execFileSync("ps", ["-Aeww", "-o", format], { encoding: "latin1", maxBuffer: 64 << 20 });
  const entries = new Map<number, ProcessEntry>();
  for (const line of table.split("\n")) {
    const [, pid, parent, group, session, rest = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) continue;
    entries.set(Number(pid), {
      parent: Number(parent),
      group: Number(group),
      session: Number(session) || 0,
      environment: () => variablesIn(rest.split(" ")),
    });
  }
  return (pid) => entries.get(pid) ?? null;
}

/** The assignments among the words. */
export function variablesIn(words: readonly string[]): NodeJS.ProcessEnv {
  const pairs = words.map((word) => /^([A-Za-z_]\w*)=(.*)$/s.exec(word)).filter((pair) => pair !== null);
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
}
