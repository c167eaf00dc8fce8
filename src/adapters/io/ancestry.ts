import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Deeper than any chain of shells and programs that people or agents start. */
const MOST_ANCESTORS = 64;

/**
 * The environments that this process's ancestors, and the leaders of its group and its session, were started with. A
 * process can drop a variable from its own environment, and not from that of the process that started it; one whose
 * parent has ended still belongs to the session of that parent.
 */
export function relativeEnvironments(): NodeJS.ProcessEnv[] {
  const look = process.platform === "linux" ? procOf : psOf();
  const own = look(process.pid);
  if (!own) return [];
  const pids = new Set<number>();
  for (let at: Place | null = own; at && at.parent > 1 && pids.size < MOST_ANCESTORS; at = look(at.parent))
    pids.add(at.parent);
  for (const leader of [own.group, own.session]) if (leader > 1 && leader !== process.pid) pids.add(leader);
  return [...pids].map((pid) => look(pid)?.environment() ?? {});
}

interface Place {
  parent: number;
  group: number;
  session: number;
  environment(): NodeJS.ProcessEnv;
}

/** Null: it has ended. What belongs to another user shows its place, and an empty environment. */
function procOf(pid: number): Place | null {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === "") return null;
  // The name before it may contain spaces and brackets.
  const [, parent, group, session] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return {
    parent: parent ?? 0,
    group: group ?? 0,
    session: session ?? 0,
    environment: () => variablesIn(textOf(`/proc/${pid}/environ`).split("\0")),
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // It has ended, or belongs to another user.
  }
}

/** One look at all processes, where there is no /proc. `ps` shows the environment behind the command line. */
function psOf(): (pid: number) => Place | null {
  const format = "pid=,ppid=,pgid=,sess=,command=";
  const table = execFileSync("ps", ["-Aeww", "-o", format], { encoding: "latin1", maxBuffer: 64 << 20 });
  const places = new Map<number, Place>();
  for (const line of table.split("\n")) {
    const [, pid, parent, group, session, rest = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) continue;
    places.set(Number(pid), {
      parent: Number(parent),
      group: Number(group),
      session: Number(session) || 0,
      environment: () => variablesIn(rest.split(" ")),
    });
  }
  return (pid) => places.get(pid) ?? null;
}

function variablesIn(words: readonly string[]): NodeJS.ProcessEnv {
  const pairs = words.map((word) => /^([A-Za-z_]\w*)=(.*)$/s.exec(word)).filter((pair) => pair !== null);
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
}
