import { existsSync, readdirSync } from "node:fs";
import { removeMerged } from "../../../adapters/git/task-worktrees.ts";
import { taskNamed } from "../../../adapters/store/named.ts";
import type { Workspace } from "../../../adapters/store/workspace.ts";

/** Removes worktrees of merged tasks that a killed execution left behind. */
export async function sweepMerged(workspace: Workspace, cwd: string): Promise<void> {
  const { worktrees } = workspace.folder;
  if (!existsSync(worktrees)) return;
  // A folder whose removal was interrupted has a suffix after the task's id.
  const ids = new Set(readdirSync(worktrees).map((name) => name.split("~")[0] ?? ""));
  for (const id of ids) {
    const task = await taskNamed(workspace, id);
    const lease = task?.status === "done" ? await workspace.leases.take({ kind: "task", id }) : null;
    if (!lease) continue;
    try {
      const target = (await workspace.tasks.load(id)).state.work?.target;
      if (target !== undefined) await removeMerged({ cwd, task: id, target, worktrees });
    } finally {
      lease.release();
    }
  }
}
