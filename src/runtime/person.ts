import { existsSync, realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { relativeEnvironments } from "../adapters/io/ancestry.ts";
import { isMarked } from "../adapters/io/descent.ts";
import { currentFolder, environment } from "../adapters/io/environment.ts";
import { sessionEntry } from "../adapters/io/host-sessions.ts";
import { toolSession } from "../adapters/io/host-tool.ts";
import { isBelow } from "../adapters/io/inside.ts";
import { RUN_VARIABLE } from "../adapters/io/run-variable.ts";
import type { Workspace } from "../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../core/errors.ts";

/** The process that runs a command, as far as it shows who started it. */
export interface Caller {
  env: NodeJS.ProcessEnv;
  /** Null: its folder is gone. */
  cwd: string | null;
  /** The environments of its ancestors. */
  ancestors(): readonly NodeJS.ProcessEnv[];
  /** Whether it descends from a driver of the journal in this folder. */
  isMarked(stateRoot: string): boolean;
}

/** Who is no person, and what shows it. */
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

/**
 * Who runs this command where no person does: the agent of a loop here, also of one in a host's session, or a check, or
 * a command of a workflow, as the code that these run may be an agent's. Null: a person, as far as anything shows. What
 * an agent has a server run that was there before (tmux, cron, a container's daemon) is not recognised.
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

/** What decides tasks and loops, and who works on them, is a person's: refuses everybody else. */
export function refuseAgents(workspace: Pick<Workspace, "folder">, what: string, caller: Caller = thisCommand()): void {
  const agent = agentBehind(workspace, caller);
  if (agent === null) return;
  throw new RalphError("persons-only", `${what} is for people, and ${agent.why}`, {
    hint: "agents can look at tasks, and propose new ones: ralph task show, create, followup; say the rest in your last message. A person runs this in a terminal of their own, in their own checkout",
    exitCode: EXIT.usage,
  });
}

/** The loop, task or run of this journal whose mark an environment carries. Work on another repository is none of ours. */
function runIn(folder: Workspace["folder"], env: NodeJS.ProcessEnv): string | null {
  const run = loopInSession(env) ?? (env[RUN_VARIABLE] ?? "").split("/")[0] ?? "";
  return run !== "" && existsSync(folderOf(folder, run)) ? run : null;
}

/** The loop of a host's session whose agent runs this command. */
function loopInSession(env: NodeJS.ProcessEnv): string | null {
  const session = toolSession(env);
  return session && (sessionEntry(session)?.loop ?? null);
}

function folderOf({ logs, task, run }: Workspace["folder"], token: string): string {
  const [, kind, id = ""] = /^(task|run)-(.+)$/.exec(token) ?? [];
  if (kind === undefined) return logs(token);
  return kind === "task" ? task(id) : run(id);
}

/** What a folder belongs to that lies in a checkout which Ralph made. */
function worktreeOf({ worktrees, rooms }: Workspace["folder"], cwd: string | null): string | null {
  if (cwd === null) return null;
  const task = firstBelow(worktrees, cwd);
  if (task !== null) return `the worktree of ${task.split("~")[0]}`;
  return firstBelow(rooms, cwd) === null ? null : "a clean room";
}

/** The folder directly below `top` that a path is in. */
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
