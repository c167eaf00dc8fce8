import type { Writable } from "node:stream";
import { type Ended, endingOf, type ProcessEnding, type Stops } from "./ending.ts";
import { endNow, handleLeftovers, type LeftoverPolicy } from "./leftovers.ts";
import { type Pipe, pump, type Sink, watchIdle } from "./pipe.ts";
import { type Started, startProcess } from "./started.ts";
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
  /** What to do with processes that it leaves running. By default only its group is ended. */
  leftovers?: LeftoverPolicy;
  onStdout: Sink;
  onStderr: Sink;
}

/** How long pipes may stay silent after the exit before processes that have them open are killed. */
const LINGER_MS = 300;

/**
 * Runs a process until it, its group and every process with its pipes open have exited. If it had to be ended,
 * everything that it started is killed too. Never throws for what the process does; an error thrown by a sink ends the
 * process and is rethrown.
 */
export async function runProcess(request: ProcessRequest): Promise<Ended> {
  const started = await startProcess(request, request.leftovers !== undefined);
  if ("by" in started) return started;
  request.watchdog?.watch(started.group);
  try {
    return await supervise(started, request);
  } finally {
    request.watchdog?.release(started.group);
  }
}

async function supervise(started: Started, request: ProcessRequest): Promise<Ended> {
  const { group, tree } = started;
  const ending = endingOf({ ...request, group, killAll: tree.kill });
  const pipes = [pump(started.stdout, request.onStdout), pump(started.stderr, request.onStderr)];
  for (const pipe of pipes) pipe.failed.then(() => ending.begin({ by: "stop" }));
  feed(started.stdin, request.stdin);
  const endIdle = () => ending.begin({ by: "idle" });
  const idle = watchIdle(pipes, request.idleTimeoutMs, endIdle);
  request.leave?.addEventListener("abort", endIdle);
  try {
    const natural = await started.exited;
    const isKept = request.leftovers && !ending.cause ? await handleLeftovers(tree, request.leftovers) : false;
    if (isKept) await letGo(pipes, ending);
    else await drained(pipes, ending, { group, token: request.token });
    // Children that were left in its group.
    if (!isKept && send(-group, 0)) send(-group, "SIGKILL");
    if (ending.cause) await endNow(tree);
    await Promise.all(pipes.map((pipe) => pipe.done));
    return ending.cause ?? natural;
  } finally {
    idle.stop();
    request.leave?.removeEventListener("abort", endIdle);
    ending.close();
  }
}

/** A program may close its input without reading it, which is not an error. */
function feed(input: Writable | null, text: string | null): void {
  if (text === null || !input) return;
  input.on("error", () => undefined);
  input.end(text);
}

const isBusy = (pipes: readonly Pipe[], ending: ProcessEnding): boolean =>
  ending.cause === null && pipes.some((pipe) => pipe.paused);

/** Reads what the process itself has written; those that it left may write for ever. */
async function letGo(pipes: readonly Pipe[], ending: ProcessEnding): Promise<void> {
  const done = Promise.allSettled(pipes.map((pipe) => pipe.done));
  do await settled(done, LINGER_MS);
  while (isBusy(pipes, ending));
  for (const pipe of pipes) pipe.letGo();
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
    const moved = isBusy(pipes, ending) || before !== pipes.map((pipe) => pipe.lastMs).join();
    silentRounds = moved ? 0 : silentRounds + 1;
    if (silentRounds === 1) send(-group, "SIGKILL");
    if (silentRounds === 2) sweep(token);
    if (silentRounds > 2) for (const pipe of pipes) pipe.stream.destroy();
  }
}
