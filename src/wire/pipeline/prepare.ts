import { existsSync } from "node:fs";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { TaskWork } from "../../core/task/events.ts";
import { hasBranch, prepareWork } from "../../git/task-branch.ts";
import { sweep } from "../../io/tokens.ts";
import { stageSpec } from "../../pipeline/stage.ts";
import { takeTrust } from "../trust.ts";
import { folderIn, taskToken } from "./commands.ts";
import type { TaskContext } from "./context.ts";
import { makeWorkReady } from "./ready.ts";
import { trustOf } from "./trust.ts";

/**
 * Makes the task's branch and worktree and takes down what decides it, before anybody works there. A worktree that
 * somebody has removed is made anew from the branch; without that one, the task begins at its beginning.
 */
export async function prepareTask(context: TaskContext): Promise<null> {
  const { ledger, cwd, workspace, stops } = context;
  const task = ledger.task.id;
  const before = ledger.state.work;
  const target = before?.target ?? context.target;
  // A set-up that a driver before us has left running.
  sweep(taskToken(task));
  try {
    const isKept = before !== null && (await hasBranch(cwd, task));
    const work = await prepareWork({ cwd, task, target, worktrees: workspace.folder.worktrees });
    requireFolderIn(work, cwd);
    const unready = await makeWorkReady(context, work, { anew: true });
    if (unready !== null) await ledger.note({ type: "task.blocked", why: unready });
    // A branch without work of its own was moved to what the target is now.
    else if (!stops.request() && !(isKept && before.base === work.base))
      await ledger.note({ type: "work.prepared", work, fingerprints: await trusted(context, work) });
  } catch (error) {
    // What is wrong with one task's branch or criteria is no reason to stop the others.
    if (!(error instanceof RalphError) || error.exitCode !== EXIT.usage) throw error;
    const why = [error.message, error.hint].filter(Boolean).join(": ");
    await ledger.note({ type: "task.blocked", why });
  }
  return null;
}

/** Whoever executes in a folder that nobody has committed yet. */
function requireFolderIn({ worktree, target }: TaskWork, cwd: string): void {
  if (existsSync(folderIn(worktree, cwd))) return;
  throw new RalphError("folder-uncommitted", `the folder ${cwd} is not in ${target}`, {
    hint: "commit it, or run `ralph execute` at the top of the repository",
  });
}

async function trusted(context: TaskContext, { worktree, base }: TaskWork) {
  const { ledger, settings, stages, cwd, id } = context;
  const { spec } = stageSpec({
    task: ledger.task,
    spec: null,
    settings: settings.all,
    agents: settings.agents.coder,
    stages,
    cwd: folderIn(worktree, cwd),
    base,
    execution: id,
    place: "coder",
    findings: null,
  });
  return takeTrust(trustOf(context).folder, spec, settings.protect);
}
