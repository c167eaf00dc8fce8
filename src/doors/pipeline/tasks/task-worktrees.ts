import { existsSync, readdirSync } from "node:fs";
import { currentBranch } from "../../../adapters/git/task-branch.ts";
import {
  branchState,
  dropAside,
  removable,
  removeMerged,
  type TaskBranch,
  taskBranches,
} from "../../../adapters/git/task-worktrees.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import type { LoadedTask } from "../../../core/task/store.ts";
import type { TaskStatus } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { taskNamed } from "../../../engine/named.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { underLease } from "../../../runtime/under-lease.ts";

export interface WorktreeView {
  task: string | null;
  title: string | null;
  status: TaskStatus | null;
  branch: string;
  head: string | null;
  target: string | null;
  ahead: number | null;
  merged: boolean;
  worktree: string | null;
  uncommitted: number;
  driven: boolean;
  /** Refs that save uncommitted files. */
  aside: readonly string[];
}

export interface PrunedBranch extends Pick<WorktreeView, "task" | "branch" | "worktree" | "aside"> {
  is: "removed" | "kept";
  why: string | null;
}

export async function listTaskWorktrees(cwd: string): Promise<WorktreeView[]> {
  return await inWorkspace({ cwd }, async (workspace) => {
    const current = await currentBranch(workspace.cwd);
    const views: WorktreeView[] = [];
    for (const branch of await taskBranches(workspace.cwd)) views.push(await viewOf(workspace, branch, current));
    return views;
  });
}

async function viewOf(workspace: Workspace, found: TaskBranch, current: string | null): Promise<WorktreeView> {
  const loaded = await taskOf(workspace, found.task);
  const target = loaded?.state.work?.target ?? current;
  const known = target === null || found.head === null ? null : await branchState(workspace.cwd, found, target);
  return {
    task: loaded ? found.task : null,
    title: loaded?.task.title ?? null,
    status: loaded?.task.status ?? null,
    branch: found.branch,
    head: found.head,
    target,
    ahead: known?.ahead ?? null,
    merged: known?.merged ?? false,
    worktree: found.worktree?.path ?? null,
    uncommitted: known?.uncommitted.length ?? 0,
    driven:
      found.task !== null && loaded !== null && (await workspace.leases.isTaken({ kind: "task", id: found.task })),
    aside: found.aside,
  };
}

/** Null if there is no such task: a branch with that name belongs to the user. */
async function taskOf(workspace: Workspace, id: string | null): Promise<LoadedTask | null> {
  return id !== null && (await taskNamed(workspace, id)) ? workspace.tasks.load(id) : null;
}

interface PruneHow {
  dryRun: boolean;
  /** Also delete refs of rescued files. */
  aside: boolean;
}

/** Removes merged branches and worktrees of finished tasks, and reports why the others stay. */
export async function pruneTaskWorktrees(cwd: string, how: PruneHow): Promise<PrunedBranch[]> {
  return await inWorkspace({ cwd }, async (workspace) => {
    if (!how.dryRun) refuseAgents(workspace, "ralph worktrees prune");
    const current = await currentBranch(workspace.cwd);
    const pruned: PrunedBranch[] = [];
    for (const branch of await taskBranches(workspace.cwd)) {
      const { task, worktree, aside, ...view } = await viewOf(workspace, branch, current);
      const why = await prune(workspace, { task, aside, ...view }, how);
      const left = why === null && how.aside && view.status === "done" ? [] : aside;
      pruned.push({ task, branch: view.branch, worktree, aside: left, is: why === null ? "removed" : "kept", why });
    }
    return pruned;
  });
}

const OVER: ReadonlySet<TaskStatus> = new Set(["done", "cancelled"]);

type Candidate = Pick<WorktreeView, "task" | "status" | "target" | "aside" | "head">;

/** Removes a branch and worktree. Returns the reason if they stay, or null. */
async function prune(workspace: Workspace, { task, status, target, aside, head }: Candidate, how: PruneHow) {
  if (task === null || status === null) return "belongs to no task here";
  if (!OVER.has(status)) return `the task is ${status}`;
  if (target === null) return "no branch to compare it with is checked out";
  const end = await underLease(workspace, { kind: "task", id: task }, async () => {
    const request = { cwd: workspace.cwd, task, target, worktrees: workspace.folder.worktrees };
    const end = await (how.dryRun ? removable(request) : removeMerged(request));
    if (end.is === "kept") return end;
    const drop = how.aside && status === "done";
    if (head === null && !drop) return { why: "only rescued files are left" };
    if (drop && !how.dryRun) await dropAside(workspace.cwd, aside);
    return { why: null };
  });
  return end ? end.why : "it is being worked on";
}

/** Removes worktrees of merged tasks that a killed execution left behind. */
export async function sweepMerged(workspace: Workspace, cwd: string): Promise<void> {
  const { worktrees } = workspace.folder;
  if (!existsSync(worktrees)) return;
  // A folder whose removal was interrupted has a suffix after the task's id.
  const ids = new Set(readdirSync(worktrees).map((name) => name.split("~")[0] ?? ""));
  for (const id of ids) {
    if ((await taskNamed(workspace, id))?.status !== "done") continue;
    await underLease(workspace, { kind: "task", id }, async () => {
      const target = (await workspace.tasks.load(id)).state.work?.target;
      if (target !== undefined) await removeMerged({ cwd, task: id, target, worktrees });
    });
  }
}
