import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import type { Ended } from "./ending.ts";
import { SUPERVISOR_SCRIPT } from "./supervisor-script.ts";
import { send } from "./tokens.ts";

/** A command to start under a supervisor. */
interface Job {
  token: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  hasInput: boolean;
  file: string;
  args: readonly string[];
}

/** A command whose supervisor finds everything that it leaves running. */
export interface Supervised {
  pid: number;
  supervisor: number;
  stdin: Socket;
  stdout: Socket;
  stderr: Socket;
  exited: Promise<Ended>;
  /** Resolves when the command and everything that it started have exited. */
  gone: Promise<void>;
  /** Kills everything that is left, then `gone` resolves. */
  kill(): void;
  /** Lets this process exit while they run, which ends them. */
  unref(): void;
}

const PERL = "/usr/bin/perl";
/** The numbers of the system calls `prctl` and `setsid`. */
const CALLS: Readonly<Record<string, readonly [number, number]>> = { x64: [157, 112], arm64: [167, 157] };
const SLOTS = 8;

interface Slot {
  /** The group of its supervisor. */
  group: number;
  sockets: readonly Socket[];
}

let isAvailable = hasSupervisors();
let hasWorked = false;
const slots: Slot[] = [];

/** Whether this machine has what a supervisor needs. */
export function hasSupervisors(): boolean {
  return (
    process.platform === "linux" &&
    CALLS[process.arch] !== undefined &&
    existsSync(PERL) &&
    existsSync(`/proc/self/task/${process.pid}/children`)
  );
}

/** Starts a command under a supervisor. Null if this machine has none, or the job cannot be handed over. */
export async function startSupervised(job: Job): Promise<Supervised | null> {
  const text = jobText(job);
  if (!isAvailable || text === null) return null;
  const prepared = slots.shift();
  const started = prepared ? await handOver(prepared, text, job) : null;
  if (started) return started;
  // The agent may have killed those that were waiting.
  for (const { sockets } of slots.splice(0)) for (const socket of sockets) socket.destroy();
  const [first, ...others] = openSlots();
  slots.push(...others);
  const again = first ? await handOver(first, text, job) : null;
  // If none has ever worked, Perl or a system call is not permitted here.
  isAvailable = again !== null || hasWorked;
  return again;
}

/** Null if a part of it contains a NUL byte, which no process can get. */
function jobText({ token, cwd, env, hasInput, file, args }: Job): string | null {
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const parts = [token, cwd, hasInput ? "1" : "", String(variables.length), ...variables, file, ...args];
  if (parts.some((part) => part.includes("\0"))) return null;
  const text = parts.join("\0");
  return `${Buffer.byteLength(text)}\n${text}`;
}

/** Nothing of the environment, which could make Perl load other code or print warnings. */
function openSlots(): Slot[] {
  const child = spawn(PERL, ["-e", SUPERVISOR_SCRIPT, ...(CALLS[process.arch] ?? []).map(String), String(SLOTS)], {
    cwd: "/",
    env: { LC_ALL: "C" },
    detached: true,
    stdio: ["ignore", "ignore", "ignore", ...Array<"pipe">(4 * SLOTS).fill("pipe")],
  });
  child.on("error", () => undefined);
  child.unref();
  const sockets = child.stdio.slice(3).filter((stream): stream is Socket => stream instanceof Socket);
  for (const socket of sockets) {
    socket.on("error", () => undefined);
    socket.unref();
  }
  const { pid: group } = child;
  if (group === undefined) return [];
  return Array.from({ length: SLOTS }, (_, i) => ({ group, sockets: sockets.slice(4 * i, 4 * i + 4) }));
}

/** Null if the supervisor has exited without starting the command. */
async function handOver(slot: Slot, text: string, { file, hasInput }: Job): Promise<Supervised | null> {
  const { group, sockets } = slot;
  const [control, stdin, stdout, stderr] = sockets;
  if (!control || !stdin || !stdout || !stderr || control.destroyed) return null;
  for (const socket of sockets) socket.ref();
  // The agent may have stopped it.
  send(-group, "SIGCONT");
  const lines = controlLines(control);
  control.write(text);
  if (!hasInput) stdin.destroy();
  const [, pid, supervisor] = /^pid (\d+) (\d+)$/.exec(await lines.first) ?? [];
  if (pid === undefined) {
    for (const socket of sockets) socket.destroy();
    return null;
  }
  hasWorked = true;
  return {
    pid: Number(pid),
    supervisor: Number(supervisor),
    stdin,
    stdout,
    stderr,
    exited: lines.exit.then((found) => {
      stdin.destroy();
      return endedBy(found, file);
    }),
    gone: lines.closed,
    kill() {
      send(-group, "SIGCONT");
      control.end();
    },
    unref: () => {
      for (const socket of sockets) socket.unref();
    },
  };
}

interface Exit {
  /** Null if the supervisor was killed. */
  status: number | null;
  errno: number | null;
}

/** What the supervisor reports: its first line, then how the command ended; nothing more once it was killed. */
function controlLines(control: Socket) {
  let rest = "";
  let errno: number | null = null;
  const [first, exit, closed] = [deferred<string>(), deferred<Exit>(), deferred<void>()];
  const take = (line: string) => {
    const [word, value, left] = line.split(" ");
    if (word === "error") errno = Number(value);
    if (word === "exit" && left === "0") closed.resolve();
    if (word === "exit") exit.resolve({ status: Number(value), errno });
    if (word === "pid") first.resolve(line);
  };
  control.setEncoding("latin1").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  control.once("close", () => {
    first.resolve("");
    exit.resolve({ status: null, errno });
    closed.resolve();
  });
  return { first: first.promise, exit: exit.promise, closed: closed.promise };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]));

/** A status as `wait` returns it. */
function endedBy({ status, errno }: Exit, file: string): Ended {
  if (errno !== null) {
    const code = getSystemErrorName(-errno);
    return { by: "start-error", code, message: `spawn ${file} ${code}` };
  }
  if (status === null) return { by: "signal", signal: "SIGKILL" };
  const signal = status & 0x7f;
  return signal === 0 ? { by: "exit", code: status >> 8 } : { by: "signal", signal: SIGNALS.get(signal) ?? "SIGKILL" };
}
