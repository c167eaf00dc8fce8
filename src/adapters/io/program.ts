import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { excerpt } from "../../core/excerpt.ts";
import { environment, RUN_VARIABLE } from "./environment.ts";
import { send } from "./tokens.ts";

export interface ProgramRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** Kills it after this time; without a limit by default. */
  timeoutMs?: number;
  /** Kills it immediately. Only for programs that are safe to kill. */
  quit?: AbortSignal;
  /** A file to use as standard input; empty by default. */
  stdin?: string;
  /** Receives standard output as it arrives, whatever its size, instead of collecting it. */
  take?(chunk: Buffer): void;
}

export interface ProgramRun {
  /** Null when the program could not be started or was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

const MAX_CHARS = 1 << 20;
/** A process that the program leaves running (a server started by a git hook, say) may keep its pipes open forever. */
const LINGER_MS = 1_000;

/** Runs a short program such as git, out of reach of Ctrl-C and sweeps: a killed git could leave a lock behind. */
export const runProgram = (request: ProgramRequest): Promise<ProgramRun> =>
  startedBy(request)?.run(request) ?? start(request);

/** Per environment, because commands in one process may have different ones. */
const starters = new WeakMap<NodeJS.ProcessEnv, Starter>();

function startedBy({ timeoutMs }: ProgramRequest): Starter | null {
  const starter = starters.get(environment());
  return starter?.isOpen() && timeoutMs === undefined ? starter : null;
}

/** Starts programs on behalf of this process. */
export interface Starter {
  /** False once it was closed or has exited. */
  isOpen(): boolean;
  run(request: ProgramRequest): Promise<ProgramRun>;
  /** Starts nothing more and resolves when all running programs have exited. */
  close(): Promise<void>;
}

/** Starts programs through `other` from now on, except those with a timeout. Returns a function that ends this. */
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

/** Stops waiting for the pipes but leaves them open, so that a process that writes to them is not killed by SIGPIPE. */
function letGo({ stdout, stderr }: ChildProcess): void {
  for (const stream of [stdout, stderr]) if (stream instanceof Socket) stream.unref();
}

/** Kills the program and its children: a push may be waiting in ssh. */
function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined) send(-child.pid, "SIGKILL");
  child.stdout?.destroy();
  child.stderr?.destroy();
}

interface ForegroundRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** Leaves Ctrl-C to the program. Returns its exit code, 0 if its reader is gone, or null if it could not be started. */
export function runInForeground({ file, args, cwd, env }: ForegroundRequest): Promise<number | null> {
  const child = spawn(file, args, { cwd, env: { ...environment(), ...env }, stdio: "inherit" });
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  return new Promise((resolve) => {
    const end = (code: number | null) => {
      process.off("SIGINT", ignore);
      resolve(code);
    };
    child.once("error", () => end(null));
    child.once("exit", (code, signal) => end(signal === "SIGPIPE" ? 0 : (code ?? 1)));
  });
}
