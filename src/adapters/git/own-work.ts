import { isRalphFile } from "../../core/ralph-files.ts";
import type { HardenedGit } from "./hardened-git.ts";
import type { LooseFiles } from "./loose-files.ts";
import { mergeTrees } from "./merge-trees.ts";
import { openCheckout } from "./reset-checkout.ts";
import { branchOf, branchRef, commitAt, isReachable } from "./task-refs.ts";
import { treeChanges } from "./tree-changes.ts";

interface OwnWorkRequest {
  worktree: string;
  task: string;
  target: string;
  /** The commit that the work began at. */
  since: string;
  head: string;
  /** Uncommitted files from before the work began. Committed unchanged, they do not count as work. */
  before: LooseFiles;
}

export interface OwnFile {
  path: string;
  /** The hash of its content; null if it was deleted. */
  blob: string | null;
}

/** The files that the task's own work has changed, not those that came from the target. Null if unknown. */
export async function ownWork(request: OwnWorkRequest): Promise<OwnFile[] | null> {
  const { worktree, task, target, since, head, before } = request;
  if (since === head) return [];
  const checkout = await openCheckout(worktree, task);
  if (typeof checkout === "string") return null;
  const { run } = checkout;
  const tip = await commitAt(run, branchRef(target));
  const merged = tip === null ? null : await commonOf(run, tip, head);
  let start = since;
  if (merged !== null && (await isReachable(run, merged, since)) === false) {
    const both = await mergeTrees(checkout, { ours: since, theirs: merged, branch: branchOf(task), target });
    if (both.is === "failed") return null;
    start = both.tree;
  }
  const changed = await changedBetween(run, start, head);
  const beside = tip === null ? null : await changedBetween(run, tip, head);
  if (!changed || (tip !== null && !beside)) return null;
  const notInTarget = beside && new Set(beside.map(({ path }) => path));
  return changed.filter(
    ({ path, blob }) =>
      !isRalphFile(path) && !(blob !== null && before[path] === blob) && (notInTarget?.has(path) ?? true),
  );
}

async function commonOf(run: HardenedGit, one: string, other: string): Promise<string | null> {
  const { code, stdout } = await run(["merge-base", one, other]);
  return code === 0 ? stdout.trim() : null;
}

async function changedBetween(run: HardenedGit, before: string, after: string): Promise<OwnFile[] | null> {
  const changes = await treeChanges(run, before, after);
  return changes?.map(({ path, after: held }) => ({ path, blob: held?.hash ?? null })) ?? null;
}
