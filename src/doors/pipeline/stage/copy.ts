import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { type CopyStart, lookAtCopy, makeCopy, removeCopy, resetCopy, startOf } from "../../../adapters/git/copy.ts";
import { hardenedGit } from "../../../adapters/git/hardened-git.ts";
import { headOf } from "../../../adapters/git/repository.ts";
import { branchRef, commitAt } from "../../../adapters/git/task-refs.ts";
import { treeState } from "../../../adapters/git/tree-state.ts";
import { makeFolder } from "../../../adapters/io/folder.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import type { CopyOfWork } from "../../../core/loop/spec.ts";
import type { LoopRole } from "../../../core/task/role.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { underLease } from "../../../runtime/under-lease.ts";
import type { WorkCopy } from "../../../verify/verification-context.ts";
import { type TaskContext, workOf } from "../context.ts";
import { setUpIn } from "../ready.ts";

/** A suffix of the task's id that no task can have. */
const MARK = "~copy";

/** The copy for a new loop: of the last proven commit. */
export async function copyFor(context: TaskContext): Promise<CopyOfWork> {
  const { worktree } = workOf(context);
  const commit = context.ledger.state.proven ?? (await headOf(worktree));
  return { root: rootOf(context.workspace, context.ledger.task.id), commit, beside: await besideOf(context) };
}

const rootOf = ({ folder }: Workspace, task: string): string => {
  makeFolder(folder.worktrees);
  return join(realpathSync(folder.worktrees), `${task}${MARK}`);
};

/** A digest of the task's own branch and worktree. */
async function besideOf(context: TaskContext): Promise<string> {
  const { worktree, branch } = workOf(context);
  const at = await commitAt(await hardenedGit(worktree, { whose: "ralph" }), branchRef(branch));
  const tree = await treeState(worktree);
  return tree === null ? `${at}` : createHash("sha256").update(`${at} ${tree}`).digest("hex");
}

/** The finding for the coder if the task's own work changed during a review of its copy; null if it did not. */
export async function changedBeside(context: TaskContext, { beside, commit }: CopyOfWork, place: LoopRole) {
  if ((await besideOf(context)) === beside) return null;
  const { branch } = workOf(context);
  return `${branch} or its worktree was changed while the ${place} reviewed a copy of ${commit} (\`git status\`, \`git diff ${commit}\`): revert what does not belong there, or complete it; everything is reviewed again`;
}

/** A copy of the work in use, set up like the task's own worktree. */
interface OpenCopy extends WorkCopy {
  remove(): Promise<void>;
}

/** Creates the copy for a loop and removes the remains of an earlier one. */
export async function openCopy(context: TaskContext, { root, commit }: CopyOfWork): Promise<OpenCopy> {
  const { cwd, workspace, ledger } = context;
  const folder = workspace.folder.task(ledger.task.id);
  makeFolder(folder);
  const place = { root, commit, index: join(folder, "copy-index") };
  const since = ledger.state.onto ?? workOf(context).base;
  const make = async (): Promise<CopyStart> => {
    try {
      const failed = (await makeCopy(cwd, place)) ?? (await setUpIn(context, { root, since, log: "copy" }));
      if (failed !== null) throw unready(failed);
      return await startOf(place);
    } catch (error) {
      await removeCopy(cwd, root);
      throw error;
    }
  };
  let start = await make();
  return {
    async reset() {
      if (!(await resetCopy(place, start))) start = await make();
    },
    look: () => lookAtCopy(place, start),
    remove: () => removeCopy(cwd, root),
  };
}

export const COPY_FAILED = "copy-failed";

const unready = (why: string): RalphError =>
  new RalphError(COPY_FAILED, `the copy for its review could not be set up: ${why}`, { exitCode: EXIT.usage });

/** Removes copies that a killed execution left behind. */
export async function sweepCopies(workspace: Workspace, cwd: string): Promise<void> {
  const { worktrees } = workspace.folder;
  if (!existsSync(worktrees)) return;
  const names = readdirSync(worktrees).filter((name) => name.split(MARK).length === 2);
  for (const id of new Set(names.map((name) => basename(name).split(MARK)[0] ?? ""))) {
    await underLease(workspace, { kind: "task", id }, () => removeCopy(cwd, rootOf(workspace, id)));
  }
}
