import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { excerpt } from "../../core/excerpt.ts";
import { environment } from "./environment.ts";
import { RUN_VARIABLE } from "./run-variable.ts";
import { send } from "./tokens.ts";

export interface ProgramRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** Ends it after so long; without it, it may take the time it needs. */
  timeoutMs?: number;
  /** Ends it at once: for a program that may be killed halfway. */
  quit?: AbortSignal;
  /** A file that it reads as its standard input; without it there is none. */
  stdin?: string;
  /** Takes standard output as it comes, whatever its size; none of it is kept then. */
  take?(chunk: Buffer): void;
}

export interface ProgramRun {
  /** Null when the program could not be started or was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

const MAX_CHARS = 1 << 20;
/** What a program leaves running (a server that a git hook starts, say) may hold its pipes for ever. */
const LINGER_MS = 1_000;

/**
 * Runs a short helper program (git, say) to its end. It carries no run token and has a group of its own:
 * killed halfway through it could leave a lock behind, so neither Ctrl-C nor a sweep reaches it by itself.
 */
export const runProgram = (request: ProgramRequest): Promise<ProgramRun> =>
  startedBy(request)?.run(request) ?? start(request);

/** By the environment that they have: commands that run in one process may have different ones. */
const starters = new WeakMap<NodeJS.ProcessEnv, Starter>();

function startedBy({ timeoutMs }: ProgramRequest): Starter | null {
  const starter = starters.get(environment());
  return starter?.isOpen() && timeoutMs === undefined ? starter : null;
}

/** Who starts programs in our place. */
export interface Starter {
  /** False once it was closed, or has ended by itself. */
  isOpen(): boolean;
  run(request: ProgramRequest): Promise<ProgramRun>;
  /** What runs goes on, nothing more is started; it is closed when all of it has ended. */
  close(): Promise<void>;
}

/** Has programs started by another from now on, apart from those that have to be ended in time. Returns what ends that. */
export function startThrough(other: Starter): () => Promise<void> {
  const env = environment();
  starters.set(env, other);
  return () => {
    if (starters.get(env) === other) starters.delete(env);
    return other.close();
  };
}

function start(request: ProgramRequest): Promise<ProgramRun> {
  const { timeoutMs, quit, take } = request;
  const child = spawned(request);
  const stdout = excerpt(MAX_CHARS);
  const stderr = excerpt(MAX_CHARS);
  if (take) child.stdout?.on("data", take);
  else child.stdout?.setEncoding("utf8").on("data", stdout.add);
  child.stderr?.setEncoding("utf8").on("data", stderr.add);
  return new Promise((resolve) => {
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => endGroup(child), timeoutMs);
    child.once("error", (error) => resolve({ code: null, stdout: "", stderr: error.message }));
    const leave = () => endGroup(child);
    quit?.addEventListener("abort", leave);
    if (quit?.aborted) leave();
    const end = (code: number | null) => {
      clearTimeout(timer);
      quit?.removeEventListener("abort", leave);
      resolve({ code, stdout: stdout.text(), stderr: stderr.text() });
    };
    child.once("close", end);
    child.once("exit", (code) => {
      const lingering = setTimeout(() => {
        letGo(child);
        end(code);
      }, LINGER_MS);
      child.once("close", () => clearTimeout(lingering));
    });
  });
}

function spawned({ file, args, cwd, env = {}, stdin }: ProgramRequest): ChildProcess {
  const input = openSync(stdin ?? "/dev/null", "r");
  try {
    return spawn(file, args, {
      cwd,
      env: { ...environment(), ...env, LC_ALL: "C", [RUN_VARIABLE]: undefined },
      detached: true,
      stdio: [input, "pipe", "pipe"],
    });
  } finally {
    closeSync(input);
  }
}

/** Nobody waits for the pipes any more; they stay open, so that whoever writes to them is not killed by that. */
function letGo({ stdout, stderr }: ChildProcess): void {
  for (const stream of [stdout, stderr]) if (stream instanceof Socket) stream.unref();
}

/** With whatever it started: a push may wait in an ssh of its own. */
function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined) send(-child.pid, "SIGKILL");
  child.stdout?.destroy();
  child.stderr?.destroy();
}
