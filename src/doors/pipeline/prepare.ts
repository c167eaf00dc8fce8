import { existsSync } from "node:fs";
import { hasBranch, prepareWork } from "../../adapters/git/task-branch.ts";
import { sweep } from "../../adapters/io/tokens.ts";
import { RalphError } from "../../core/errors.ts";
import type { TaskWork } from "../../core/task/work.ts";
import { recordProtection } from "../../verify/tamper/protection-record.ts";
import { folderIn, taskToken } from "./commands.ts";
import { blocked, orBlocked, type TaskContext } from "./context.ts";
import { taskRecordRef } from "./pins/task-record.ts";
import { makeWorkReady } from "./ready.ts";
import { dependencyChecks } from "./stage/dependency-checks.ts";
import { stageSpec } from "./stage/stage.ts";

/**
 * Creates the task's branch and worktree and records its deciding files before an agent works there. A removed worktree
 * is recreated from the branch; without a branch, the task starts over.
 */
export async function prepareTask(context: TaskContext): Promise<null> {
  const { ledger, cwd, workspace } = context;
  const task = ledger.task.id;
  const before = ledger.state.work;
  const target = before?.target ?? context.target;
  // Kills a setup that a previous driver left running.
  sweep(taskToken(task));
  return orBlocked(context, async () => {
    const isKept = before !== null && (await hasBranch(cwd, task));
    const work = await prepareWork({ cwd, task, target, worktrees: workspace.folder.worktrees });
    requireFolderIn(work, cwd);
    // A branch without commits of its own was moved to the target.
    const isSame = isKept && before.base === work.base;
    const unready = await makeWorkReady(context, work, async () => {
      if (!isSame) await ledger.write({ type: "work.prepared", work, fingerprints: await trusted(context, work) });
    });
    return unready === null ? null : blocked(context, unready);
  });
}

/** Throws if the current folder is not committed yet. */
function requireFolderIn({ worktree, target }: TaskWork, cwd: string): void {
  if (existsSync(folderIn(worktree, cwd))) return;
  throw new RalphError("folder-uncommitted", `the folder ${cwd} is not in ${target}`, {
    hint: "commit it, or run `ralph execute` at the root of the repository",
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
    needed: (await dependencyChecks(context, worktree)).map(({ check }) => check),
  });
  return recordProtection(taskRecordRef(context).blobs, spec, settings.protect);
}
