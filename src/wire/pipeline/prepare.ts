import { existsSync } from "node:fs";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { TaskWork } from "../../core/task/events.ts";
import { prepareWork } from "../../git/task-branch.ts";
import { sweep } from "../../io/tokens.ts";
import { stageSpec } from "../../pipeline/stage.ts";
import { takeTrust } from "../trust.ts";
import { folderIn, taskToken } from "./commands.ts";
import { type TaskContext, workOf } from "./context.ts";
import { forgetReady, makeWorkReady } from "./ready.ts";
import { trustOf } from "./trust.ts";

/** Makes the task's branch and worktree and takes down what decides it, before anybody works there. */
export async function prepareTask(context: TaskContext): Promise<null> {
  const { ledger, cwd, target, workspace, stops } = context;
  // A set-up that a driver before us has left running.
  sweep(taskToken(ledger.task.id));
  try {
    const work = await prepareWork({ cwd, task: ledger.task.id, target, worktrees: workspace.folder.worktrees });
    requireFolderIn(work, cwd);
    const unready = await makeWorkReady(context, work);
    if (unready !== null) await ledger.note({ type: "task.blocked", why: unready });
    else if (!stops.request())
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

/** Makes a worktree anew that somebody has deleted: all that was committed in it is on its branch. */
export async function restoreWork(context: TaskContext): Promise<void> {
  const { ledger, cwd, workspace } = context;
  const work = workOf(context);
  if (existsSync(work.worktree)) return;
  const { worktrees } = workspace.folder;
  await prepareWork({ cwd, task: ledger.task.id, target: work.target, worktrees });
  forgetReady(context);
  const unready = await makeWorkReady(context, work);
  if (unready !== null) throw new RalphError("worktree-failed", unready);
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
