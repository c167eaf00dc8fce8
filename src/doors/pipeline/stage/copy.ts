import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { type CopyStart, lookAtCopy, makeCopy, removeCopy, resetCopy, startOf } from "../../../adapters/git/copy.ts";
import { plainGit } from "../../../adapters/git/hardened-git.ts";
import { headOf } from "../../../adapters/git/repository.ts";
import { branchRef, commitAt } from "../../../adapters/git/task-refs.ts";
import { treeState } from "../../../adapters/git/tree-state.ts";
import { makeFolder } from "../../../adapters/io/folder.ts";
import type { Workspace } from "../../../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import type { CopyOfWork } from "../../../core/loop/spec.ts";
import type { Place } from "../../../core/task/role.ts";
import type { WorkCopy } from "../../../verify/ports-request.ts";
import { type TaskContext, workOf } from "../context.ts";
import { setUpIn } from "../ready.ts";

/** Who looks at the work and is not to change it. The tester writes tests, so that it works where the coder does. */
export const isOnCopy = (place: Place): boolean => place === "reviewer" || place === "qa";

/** Behind the task's id: a name that no task can have. */
const MARK = "~copy";

/** The copy that a new loop gets: of what was proven last. */
export async function copyFor(context: TaskContext): Promise<CopyOfWork> {
  const { worktree } = workOf(context);
  const commit = context.ledger.state.proven ?? (await headOf(worktree));
  return { root: rootOf(context.workspace, context.ledger.task.id), commit, beside: await besideOf(context) };
}

const rootOf = ({ folder }: Workspace, task: string): string => {
  makeFolder(folder.worktrees);
  return join(realpathSync(folder.worktrees), `${task}${MARK}`);
};

/** What the task's own branch and worktree are, as far as anybody can tell. */
async function besideOf(context: TaskContext): Promise<string> {
  const { worktree, branch } = workOf(context);
  const at = await commitAt(await plainGit(worktree, { whose: "ralph" }), branchRef(branch));
  const tree = await treeState(worktree);
  return tree === null ? `${at}` : createHash("sha256").update(`${at} ${tree}`).digest("hex");
}

/** What is said to the coder where the task's own work was changed while others looked at a copy of it; null: it was not. */
export async function changedBeside(context: TaskContext, { beside, commit }: CopyOfWork, place: Place) {
  if ((await besideOf(context)) === beside) return null;
  const { branch, worktree } = workOf(context);
  return `${branch} or its worktree ${worktree} was changed while the ${place} looked at a copy of ${commit} (\`git status\`, \`git diff ${commit}\`): take back what does not belong there, or make it good; all of it is looked at again`;
}

/** A copy of the work, made ready as the task's own worktree is, while it is used. */
export interface OpenCopy extends WorkCopy {
  remove(): Promise<void>;
}

/** Makes the copy of a loop; whatever an earlier one has left of it is gone. */
export async function openCopy(context: TaskContext, { root, commit }: CopyOfWork): Promise<OpenCopy> {
  const { cwd, workspace, ledger } = context;
  const folder = workspace.folder.task(ledger.task.id);
  makeFolder(folder);
  const place = { root, commit, index: join(folder, "copy-index") };
  const make = async (): Promise<CopyStart> => {
    const failed = (await makeCopy(cwd, place)) ?? (await setUpIn(context, root, "copy"));
    if (failed === null) return startOf(place);
    await removeCopy(cwd, root);
    throw unready(failed);
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
  new RalphError(COPY_FAILED, `the copy for its review could not be made ready: ${why}`, { exitCode: EXIT.usage });

/** Takes away copies that an execution could not, because it was killed. */
export async function sweepCopies(workspace: Workspace, cwd: string): Promise<void> {
  const { worktrees } = workspace.folder;
  if (!existsSync(worktrees)) return;
  const names = readdirSync(worktrees).filter((name) => name.split(MARK).length === 2);
  for (const id of new Set(names.map((name) => basename(name).split(MARK)[0] ?? ""))) {
    const lease = await workspace.leases.take({ kind: "task", id });
    if (!lease) continue;
    try {
      await removeCopy(cwd, rootOf(workspace, id));
    } finally {
      lease.release();
    }
  }
}
