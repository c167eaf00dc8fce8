import { effectTrailer } from "./commit.ts";
import { filesBetween } from "./history.ts";
import { mergeTrees } from "./merge-trees.ts";
import type { Checkout } from "./rescue-uncommitted.ts";

/** What a branch may be without anybody having to look again. */
export interface Proven {
  /** The commit that was verified, or that we made of it ourselves. */
  commit: string;
  /** The file that we mark the task in, on top of it; null: none. */
  mark: string | null;
}

interface Here {
  branch: string;
  target: string;
  task: string;
}

/** The effect of merging a commit of the target into a task's branch. */
export const updateKey = (task: string, onto: string): string => `merge/${task}/${onto}`;

/** The parents of a commit where it says that it is such a merge: ours, theirs. Anybody can say so. */
export async function updateAt({ run, task }: Checkout, commit: string): Promise<[string, string] | null> {
  const shown = await run(["show", "--no-patch", "--format=%P%n%B", commit]);
  const [parents = "", ...message] = shown.stdout.trimEnd().split("\n");
  const [ours = "", theirs] = parents.split(" ");
  return theirs !== undefined && message.at(-1) === effectTrailer(updateKey(task, theirs)) ? [ours, theirs] : null;
}

/**
 * Whether a branch is what was proven: that commit, with the mark of ours on top of it, or the merge that we made of it
 * and were killed before we could write that down. The merge is made again: its message proves nothing.
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
