import { join } from "node:path";
import { currentBranch } from "../../adapters/git/task-branch.ts";
import { folderOf } from "../../adapters/git/task-refs.ts";
import {
  branchState,
  dropAside,
  loopBranches,
  removable,
  removeMerged,
  type WorkBranch,
} from "../../adapters/git/task-worktrees.ts";
import { isInside } from "../../adapters/io/inside.ts";
import { inWorkspace } from "../../adapters/store/workspace.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import type { Workspace } from "../../core/workspace.ts";
import { refuseAgents } from "../../runtime/person.ts";
import { underLease } from "../../runtime/under-lease.ts";

/** A branch `ralph/…`, and the loop that it was made for. */
export interface LoopWorktreeView {
  /** Null if its loop is not known here. */
  loop: string | null;
  title: string | null;
  status: string | null;
  branch: string;
  head: string | null;
  target: string | null;
  ahead: number | null;
  merged: boolean;
  worktree: string | null;
  uncommitted: number;
  driven: boolean;
  aside: readonly string[];
}

export const listLoopWorktrees = (cwd: string): Promise<LoopWorktreeView[]> => inWorkspace({ cwd }, viewsOf);

/** Loops are looked for by their folder: the name of a branch may be the user's. */
const LOOKED_AT = 1_000;

async function viewsOf(workspace: Workspace): Promise<LoopWorktreeView[]> {
  const { cwd, store, folder } = workspace;
  const branches = await loopBranches(cwd);
  if (branches.length === 0) return [];
  const current = await currentBranch(cwd);
  const loops = await store.summaries({ limit: LOOKED_AT });
  const views: LoopWorktreeView[] = [];
  for (const found of branches) {
    const root = join(folder.worktrees, folderOf(found.branch));
    const loop = loops.find((one) => isInside(one.cwd, root)) ?? null;
    const target = (loop && (await targetOf(workspace, loop))) ?? current;
    views.push({ ...(await loopFacts(workspace, loop)), ...(await gitFacts(cwd, found, target)) });
  }
  return views;
}

type GitFact = "branch" | "head" | "target" | "ahead" | "merged" | "worktree" | "uncommitted" | "aside";

async function gitFacts(
  cwd: string,
  found: WorkBranch,
  target: string | null,
): Promise<Pick<LoopWorktreeView, GitFact>> {
  const { branch, head, worktree, aside } = found;
  const known = target === null || head === null ? null : await branchState(cwd, found, target);
  const ahead = known?.ahead ?? null;
  const uncommitted = known?.uncommitted.length ?? 0;
  return {
    branch,
    head,
    target,
    ahead,
    merged: known?.merged ?? false,
    worktree: worktree?.path ?? null,
    uncommitted,
    aside,
  };
}

async function loopFacts({ leases }: Workspace, loop: LoopSummary | null): Promise<Omit<LoopWorktreeView, GitFact>> {
  if (!loop) return { loop: null, title: null, status: null, driven: false };
  const { id, title, reason, status } = loop;
  return { loop: id, title, status: reason ?? status, driven: await leases.isTaken({ kind: "loop", id }) };
}

const targetOf = async ({ store }: Workspace, { id }: LoopSummary): Promise<string | null> =>
  (await store.glance(id)).state.spec?.worktree?.target ?? null;

interface PruneHow {
  dryRun: boolean;
  /** Also delete refs of rescued files. */
  aside: boolean;
}

export interface PrunedLoop extends Pick<LoopWorktreeView, "loop" | "branch" | "worktree" | "aside"> {
  is: "removed" | "kept";
  why: string | null;
}

/** Removes merged branches and worktrees of loops that have stopped, and reports why the others stay. */
export async function pruneLoopWorktrees(cwd: string, how: PruneHow): Promise<PrunedLoop[]> {
  return await inWorkspace({ cwd }, async (workspace) => {
    if (!how.dryRun) refuseAgents(workspace, "ralph worktrees prune");
    const pruned: PrunedLoop[] = [];
    for (const view of await viewsOf(workspace)) {
      const why = await prune(workspace, view, how);
      const { loop, branch, worktree } = view;
      const aside = why === null && how.aside ? [] : view.aside;
      pruned.push({ loop, branch, worktree, aside, is: why === null ? "removed" : "kept", why });
    }
    return pruned;
  });
}

/** Removes a branch and worktree. Returns the reason if they stay, or null. */
async function prune(workspace: Workspace, { loop, target, branch, aside, head }: LoopWorktreeView, how: PruneHow) {
  if (loop === null) return "belongs to no loop here";
  if (target === null) return "no branch to compare it with is checked out";
  const end = await underLease(workspace, { kind: "loop", id: loop }, async () => {
    const request = { cwd: workspace.cwd, task: branch, target, worktrees: workspace.folder.worktrees };
    const removal = await (how.dryRun ? removable(request) : removeMerged(request));
    if (removal.is === "kept") return removal;
    if (head === null && !how.aside) return { why: "only rescued files are left" };
    if (how.aside && !how.dryRun) await dropAside(workspace.cwd, aside);
    return { why: null };
  });
  return end ? end.why : "its loop is running";
}
