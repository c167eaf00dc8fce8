import { existsSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { toolSession } from "../adapters/hosts/hosts.ts";
import { sessionEntry } from "../adapters/hosts/session-index.ts";
import { environmentAt, relativeEnvironments } from "../adapters/io/ancestry.ts";
import { isMarked, isMarkedAt } from "../adapters/io/descent.ts";
import { currentFolder, environment, RUN_VARIABLE } from "../adapters/io/environment.ts";
import { isBelow } from "../adapters/io/inside.ts";
import { realPathOf } from "../adapters/io/look.ts";
import { EXIT, RalphError } from "../core/errors.ts";
import type { Workspace } from "../core/workspace.ts";

export interface Caller {
  env: NodeJS.ProcessEnv;
  /** Null if its folder is gone. */
  cwd: string | null;
  ancestors(): readonly NodeJS.ProcessEnv[];
  /** Whether it descends from a driver of the journal in this state folder. */
  isMarked(stateRoot: string): boolean;
}

interface Agent {
  who: string;
  why: string;
}

const thisCommand = (): Caller => ({
  env: environment(),
  cwd: ownFolder(),
  ancestors: relativeEnvironments,
  isMarked,
});

/** Another process on this machine. */
export const processCaller = (pid: number): Caller => ({
  env: environmentAt(pid),
  cwd: realPathOf(`/proc/${pid}/cwd`) ?? null,
  ancestors: () => relativeEnvironments(pid),
  isMarked: (stateRoot) => isMarkedAt(stateRoot, pid),
});

/**
 * The agent that runs this command: of a loop in this repository, also in a host's session, or a check or workflow
 * command, whose code may be an agent's. Null if it is the user, as far as can be seen. Commands that an agent runs
 * through an existing server (tmux, cron, a container's daemon) are not recognised.
 */
export function agentBehind({ folder }: Pick<Workspace, "folder">, caller: Caller = thisCommand()): Agent | null {
  const marked = runIn(folder, caller.env);
  if (marked !== null) return { who: marked, why: `${marked} of this repository runs this command` };
  const worktree = worktreeOf(folder, caller.cwd);
  if (worktree !== null) return { who: worktree, why: `this folder belongs to ${worktree}, where agents work` };
  const started = "of this repository started the process that runs this command";
  for (const env of caller.ancestors()) {
    const run = runIn(folder, env);
    if (run !== null) return { who: run, why: `${run} ${started}` };
  }
  return caller.isMarked(folder.root) ? { who: "a loop", why: `a loop ${started}` } : null;
}

/** Throws if an agent runs a command that decides about tasks and loops, which only the user may do. */
export function refuseAgents(workspace: Pick<Workspace, "folder">, what: string, caller: Caller = thisCommand()): void {
  const agent = agentBehind(workspace, caller);
  if (agent === null) return;
  throw new RalphError("persons-only", `only the user may run ${what}, and ${agent.why}`, {
    hint: "agents can show tasks and propose new ones: ralph task show, create, followup; put the rest in your last message. The user runs this in their own terminal, in their own checkout",
    exitCode: EXIT.usage,
  });
}

/** The loop, task or run of this journal that an environment is marked with. Other repositories' marks are ignored. */
function runIn(folder: Workspace["folder"], env: NodeJS.ProcessEnv): string | null {
  const run = runAround(env);
  return run !== "" && existsSync(folderOf(folder, run)) ? run : null;
}

/** The loop, task or run whose agent or command has this environment; empty if there is none. */
export const runAround = (env: NodeJS.ProcessEnv): string =>
  loopInSession(env) ?? (env[RUN_VARIABLE] ?? "").split("/")[0] ?? "";

function loopInSession(env: NodeJS.ProcessEnv): string | null {
  const session = toolSession(env);
  return session && (sessionEntry(session)?.loop ?? null);
}

function folderOf({ logs, task, run }: Workspace["folder"], token: string): string {
  const [, kind, id = ""] = /^(task|run)-(.+)$/.exec(token) ?? [];
  if (kind === undefined) return logs(token);
  return kind === "task" ? task(id) : run(id);
}

function worktreeOf({ worktrees, rooms }: Workspace["folder"], cwd: string | null): string | null {
  if (cwd === null) return null;
  const task = firstBelow(worktrees, cwd);
  if (task !== null) return `the worktree of ${task.startsWith("ralph~") ? "a loop" : task.split("~")[0]}`;
  return firstBelow(rooms, cwd) === null ? null : "a clean room";
}

function firstBelow(top: string, path: string): string | null {
  if (!existsSync(top)) return null;
  const real = realpathSync(top);
  return isBelow(path, real) ? (relative(real, path).split(sep)[0] ?? null) : null;
}

function ownFolder(): string | null {
  try {
    return realpathSync(currentFolder());
  } catch {
    return null;
  }
}
