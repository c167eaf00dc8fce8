import { existsSync } from "node:fs";
import { type ChangedFile, compareTrees } from "../../adapters/git/compare-trees.ts";
import { hardenedGit } from "../../adapters/git/hardened-git.ts";
import { ownGit } from "../../adapters/git/own-git.ts";
import { snapshotFolder } from "../../adapters/git/snapshot-folder.ts";
import { branchRef, commitAt } from "../../adapters/git/task-refs.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { ChangeSize } from "../../core/report/report.ts";
import type { TaskState } from "../../core/task/state.ts";
import type { Workspace } from "../../core/workspace.ts";

/** Says how much work changed. At most this often: each answer is a git process. */
export interface ChangeSizes {
  ofTask(state: TaskState): Promise<ChangeSize | null>;
  ofLoop(loop: string, state: LoopState): Promise<ChangeSize | null>;
}

const MOST_ASKED = 100;

export async function openChangeSizes({ cwd, folder }: Workspace): Promise<ChangeSizes> {
  const root = checkoutRoot(cwd);
  const run = root === null ? null : await hardenedGit(root, { whose: "ralph", isLook: true });
  let asked = 0;
  const isLeft = () => ++asked <= MOST_ASKED;
  return {
    async ofTask({ work, onto, merged, proven }) {
      if (!run || !work || !isLeft()) return null;
      const to = merged ?? (await commitAt(run, branchRef(work.branch))) ?? proven;
      return to === null ? null : sizeOf(await compareTrees(run, onto ?? work.base, to));
    },
    async ofLoop(loop, { baseline, turn }) {
      const [from, to] = [baseline?.snapshot, turn?.verdict?.snapshot];
      const own = snapshotFolder(folder, loop);
      if (!from || !to || !existsSync(own) || !isLeft()) return null;
      return sizeOf(await compareTrees(ownGit(own, own), from, to));
    },
  };
}

const sizeOf = (compared: Awaited<ReturnType<typeof compareTrees>>): ChangeSize | null =>
  compared.is === "failed" ? null : { files: compared.files.length, ...linesIn(compared.files) };

const linesIn = (files: readonly ChangedFile[]) => ({
  added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
  removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
});
