import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { type Ended, endingOf, type ProcessEnding, type Stops } from "./ending.ts";
import { environment, RUN_VARIABLE } from "./environment.ts";
import { type Pipe, pump, type Sink, watchIdle } from "./pipe.ts";
import { settled } from "./timer.ts";
import { send, sweep } from "./tokens.ts";
import type { Watchdog } from "./watchdog.ts";

interface ProcessRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  stdin: string | null;
  /** Marks the process and all its descendants. */
  token: string;
  timeoutMs: number;
  idleTimeoutMs: number | null;
  graceMs: number;
  stops: Stops;
  /** Ends it like an idle timeout, once no more output is expected. */
  leave?: AbortSignal;
  watchdog: Watchdog | null;
  onStdout: Sink;
  onStderr: Sink;
}

/** How long pipes may stay silent after the exit before processes that have them open are killed. */
const LINGER_MS = 300;

/**
 * Runs a process until it, its group and every process with its pipes open have exited. If it had to be ended,
 * everything with its token is killed too. Never throws for what the process does; an error thrown by a sink ends the
 * process and is rethrown.
 */
export async function runProcess(request: ProcessRequest): Promise<Ended> {
  const child = await start(request);
  if ("by" in child) return child;
  const group = child.pid ?? 0;
  request.watchdog?.watch(group);
  try {
    return await supervise(child, group, request);
  } finally {
    request.watchdog?.release(group);
  }
}

const copies = new WeakMap<NodeJS.ProcessEnv, NodeJS.ProcessEnv>();

/** The environment, copied once: copying `process.env` costs a system call per variable. */
function inherited(): NodeJS.ProcessEnv {
  const env = environment();
  const copy = copies.get(env) ?? { ...env };
  copies.set(env, copy);
  return copy;
}

/** Some spawn failures throw (a command line that is too long, say), others emit an error on a child without a pid. */
async function start(request: ProcessRequest): Promise<ChildProcess | StartError> {
  const { file, args, cwd, env, stdin, token } = request;
  try {
    const child = spawn(file, args, {
      cwd,
      env: { ...inherited(), ...env, [RUN_VARIABLE]: token },
      detached: true,
      stdio: [stdin === null ? "ignore" : "pipe", "pipe", "pipe"],
    });
    if (child.pid === undefined) return startError(await new Promise((resolve) => child.once("error", resolve)), cwd);
    child.on("error", () => undefined);
    return child;
  } catch (error) {
    return startError(error, cwd);
  }
}

type StartError = Ended & { by: "start-error" };

/** A missing working folder and a missing program look the same to the system. */
function startError(error: unknown, cwd: string): StartError {
  if (!existsSync(cwd)) return { by: "start-error", code: "ENOTDIR", message: `the folder ${cwd} is gone` };
  const { code = "", message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  return { by: "start-error", code, message };
}

async function supervise(child: ChildProcess, group: number, request: ProcessRequest): Promise<Ended> {
  const ending = endingOf({ ...request, group });
  const pipes = [pump(child.stdout, request.onStdout), pump(child.stderr, request.onStderr)];
  const exited = new Promise<Ended>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ? { by: "signal", signal } : { by: "exit", code: code ?? 0 }));
  });
  for (const pipe of pipes) pipe.failed.then(() => ending.begin({ by: "stop" }));
  feed(child, request.stdin);
  const endIdle = () => ending.begin({ by: "idle" });
  const idle = watchIdle(pipes, request.idleTimeoutMs, endIdle);
  request.leave?.addEventListener("abort", endIdle);
  try {
    const natural = await exited;
    await drained(pipes, ending, { group, token: request.token });
    endLeftovers(group);
    if (ending.cause) sweep(request.token);
    await Promise.all(pipes.map((pipe) => pipe.done));
    return ending.cause ?? natural;
  } finally {
    idle.stop();
    request.leave?.removeEventListener("abort", endIdle);
    ending.close();
  }
}

/** A program may close its input without reading it, which is not an error. */
function feed(child: ChildProcess, stdin: string | null): void {
  if (stdin === null || !child.stdin) return;
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
}

/** Kills what keeps the pipes open silently after the exit. Waits for a sink that pauses them unless ending. */
async function drained(
  pipes: readonly Pipe[],
  ending: ProcessEnding,
  { group, token }: { group: number; token: string },
) {
  for (let silentRounds = 0; pipes.some((pipe) => !pipe.closed); ) {
    const before = pipes.map((pipe) => pipe.lastMs).join();
    await settled(Promise.allSettled(pipes.map((pipe) => pipe.done)), LINGER_MS);
    const isPaused = ending.cause === null && pipes.some((pipe) => pipe.paused);
    const moved = isPaused || before !== pipes.map((pipe) => pipe.lastMs).join();
    silentRounds = moved ? 0 : silentRounds + 1;
    if (silentRounds === 1) send(-group, "SIGKILL");
    if (silentRounds === 2) sweep(token);
    if (silentRounds > 2) for (const pipe of pipes) pipe.stream.destroy();
  }
}

/** Kills children that the agent left in its group. */
function endLeftovers(group: number): void {
  if (send(-group, 0)) send(-group, "SIGKILL");
}
