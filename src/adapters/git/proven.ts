import { effectTrailer } from "./commit.ts";
import { filesBetween } from "./history.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { Checkout } from "./rescue-uncommitted.ts";

/** What a branch may contain without being verified again. */
export interface Proven {
  /** The verified commit, or the one that Ralph made from it. */
  commit: string;
  /** The source file in which Ralph marks the task as done on top of it; null if there is none. */
  mark: string | null;
}

interface Here {
  branch: string;
  target: string;
  task: string;
}

/** The key of merging a commit of the target into a task's branch. */
export const updateKey = (task: string, onto: string): string => `merge/${task}/${onto}`;

/** The parents (ours, theirs) of a commit whose trailer says it is such a merge. The trailer can be forged. */
export async function updateAt({ run, task }: Checkout, commit: string): Promise<[string, string] | null> {
  const shown = await run(["show", "--no-patch", "--format=%P%n%B", commit]);
  const [parents = "", ...message] = shown.stdout.trimEnd().split("\n");
  const [ours = "", theirs] = parents.split(" ");
  return theirs !== undefined && message.at(-1) === effectTrailer(updateKey(task, theirs)) ? [ours, theirs] : null;
}

/**
 * Whether a branch is what was verified: that commit, with Ralph's mark on top, or a merge that Ralph made from it but
 * did not journal before it was killed. The merge is repeated for comparison, because its message proves nothing.
 */
export async function isProven(checkout: Checkout, head: string, proven: Proven, here: Here): Promise<boolean> {
  if (await isMarked(checkout, head, proven)) return true;
  const [ours, theirs] = (await updateAt(checkout, head)) ?? [];
  if (ours === undefined || theirs === undefined || !(await isMarked(checkout, ours, proven))) return false;
  const merged = await mergeTrees(checkout, { ours, theirs, ...here });
  return merged.is === "merged" && (await filesBetween(checkout.path, merged.tree, head))?.length === 0;
}

async function isMarked({ path }: Checkout, head: string, { commit, mark }: Proven): Promise<boolean> {
  if (head === commit) return true;
  const files = await filesBetween(path, commit, head);
  return files?.every((file) => file === mark) ?? false;
}
