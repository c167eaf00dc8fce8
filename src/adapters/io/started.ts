import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { descendantsOf } from "./descendants.ts";
import type { Ended } from "./ending.ts";
import { environment, RUN_VARIABLE } from "./environment.ts";
import type { ProcessTree } from "./leftovers.ts";
import { type Supervised, startSupervised } from "./supervisor.ts";
import { settled } from "./timer.ts";
import { findByToken, send, sweep } from "./tokens.ts";

interface StartRequest {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  stdin: string | null;
  token: string;
}

/** A process in a group of its own. */
export interface Started {
  group: number;
  stdin: Writable | null;
  stdout: Readable | null;
  stderr: Readable | null;
  exited: Promise<Ended>;
  tree: ProcessTree;
}

type StartError = Ended & { by: "start-error" };

/** Starts a process. `supervised`: so that everything that it leaves running can be found, where this is possible. */
export async function startProcess(request: StartRequest, supervised: boolean): Promise<Started | StartError> {
  const { cwd, token } = request;
  const env = { ...inherited(), ...request.env, [RUN_VARIABLE]: token };
  const found = supervised ? await startSupervised({ ...request, env, hasInput: request.stdin !== null }) : null;
  if (found) return underSupervisor(found, request);
  try {
    const child = spawn(request.file, request.args, {
      cwd,
      env,
      detached: true,
      stdio: [request.stdin === null ? "ignore" : "pipe", "pipe", "pipe"],
    });
    if (child.pid === undefined) return startError((await once(child, "error"))[0], cwd);
    child.on("error", () => undefined);
    return onItsOwn(child, child.pid, token);
  } catch (error) {
    return startError(error, cwd);
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

function underSupervisor(found: Supervised, { cwd, stdin, token }: StartRequest): Started {
  let isGone = false;
  found.gone.then(() => {
    isGone = true;
  });
  return {
    ...found,
    group: found.pid,
    stdin: stdin === null ? null : found.stdin,
    exited: found.exited.then((ended) => (ended.by === "start-error" ? startError(ended, cwd) : ended)),
    tree: {
      isGone: () => isGone,
      processes: () => (isGone ? [] : descendantsOf(found.supervisor)),
      gone: (ms) => settled(found.gone, ms),
      kill() {
        found.kill();
        // The agent may have killed its supervisors.
        sweep(token);
      },
      unref: found.unref,
    },
  };
}

const POLL_MS = 20;

/** Without a supervisor, only processes with its token are found. */
function onItsOwn(child: ChildProcess, group: number, token: string): Started {
  const { stdin, stdout, stderr } = child;
  const processes = () => findByToken(token);
  return {
    group,
    stdin,
    stdout,
    stderr,
    exited: new Promise((resolve) => {
      child.once("exit", (code, signal) =>
        resolve(signal ? { by: "signal", signal } : { by: "exit", code: code ?? 0 }),
      );
    }),
    tree: {
      isGone: () => processes().length === 0,
      processes,
      async gone(ms) {
        for (let left = ms; left > 0 && processes().length > 0; left -= POLL_MS)
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      },
      kill() {
        if (send(-group, 0)) send(-group, "SIGKILL");
        sweep(token);
      },
      unref() {
        for (const stream of [stdout, stderr]) (stream as { unref?(): void } | null)?.unref?.();
      },
    },
  };
}

/** A missing working folder and a missing program look the same to the system. */
function startError(error: unknown, cwd: string): StartError {
  if (!existsSync(cwd)) return { by: "start-error", code: "ENOTDIR", message: `the folder ${cwd} is gone` };
  const { code = "", message } = error as NodeJS.ErrnoException;
  return { by: "start-error", code, message };
}
