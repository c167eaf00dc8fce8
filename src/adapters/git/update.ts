import { printable } from "../../core/ansi.ts";
import { shorten } from "../../core/excerpt.ts";
import { effectTrailer } from "./commit.ts";
import { commitTree } from "./commit-tree.ts";
import type { Conflict } from "./conflicts.ts";
import { filesBetween } from "./history.ts";
import { type MergedTrees, mergeTrees } from "./merge-trees.ts";
import { type Checkout, setAside } from "./rescue-uncommitted.ts";
import { checkOut, openCheckout, settle } from "./reset-checkout.ts";
import { branchRef, commitAt, isReachable, swapRef } from "./task-refs.ts";

interface UpdateRequest {
  worktree: string;
  branch: string;
  target: string;
  task: string;
  /** The commit of the target whose merge is journalled. A merge that is not is reported again. */
  known?: string | null;
  /** What the branch must be: unverified work is not merged. Null if nothing was verified yet. */
  proven?: Proven | null;
}

interface Updated {
  head: string;
  onto: string;
  /** Refs that save uncommitted files of the worktree. */
  aside: readonly string[];
}

export type Update =
  /** It already contains the target. */
  | ({ is: "current" } & Updated)
  | ({ is: "merged" } & Updated)
  /** Merged, but with conflict markers in the listed files. */
  | ({ is: "conflicted"; conflicts: readonly Conflict[] } & Updated)
  /** It is not what was verified; nothing was merged. */
  | { is: "unproven"; head: string; aside: readonly string[] }
  | { is: "failed"; why: string };

/** Merges the target into a task's branch and checks it out. Conflicts are committed with markers, for an agent. */
export async function bringUpToDate(request: UpdateRequest): Promise<Update> {
  const { worktree, branch, target, task, known, proven } = request;
  const checkout = await openCheckout(worktree, task);
  if (typeof checkout === "string") return { is: "failed", why: checkout };
  const settled = await settle(checkout, branch);
  if (settled.is === "failed") return settled;
  const { head, aside } = settled;
  if (proven && !(await isProven(checkout, head, proven, request))) return { is: "unproven", head, aside };
  const onto = await commitAt(checkout.run, branchRef(target));
  if (onto === null) return { is: "failed", why: `the branch ${target} is gone` };
  const contained = await isReachable(checkout.run, onto, head);
  if (contained === null) return { is: "failed", why: `git cannot determine whether ${branch} contains ${target}` };
  if (!contained) return await merge(checkout, request, { head, onto, aside });
  const unreported = onto === known ? null : await repeatReport(checkout, request, { head, onto, aside });
  return unreported ?? { is: "current", head, onto, aside };
}

/** Reports an existing merge at the branch's head again, because the first report may have been lost. */
async function repeatReport(checkout: Checkout, request: UpdateRequest, now: Updated): Promise<Update | null> {
  const { branch, target } = request;
  const [ours, theirs] = (await updateAt(checkout, now.head)) ?? [];
  if (ours === undefined || theirs !== now.onto) return null;
  return outcome(await mergeTrees(checkout, { ours, theirs, branch, target }), now);
}

function outcome(merged: MergedTrees, now: Updated): Update {
  if (merged.is === "failed") return merged;
  const { conflicts } = merged;
  return conflicts.length > 0 ? { is: "conflicted", ...now, conflicts } : { is: "merged", ...now };
}

async function merge(checkout: Checkout, request: UpdateRequest, was: Updated): Promise<Update> {
  const { task, branch, target } = request;
  const { head, onto } = was;
  const merged = await mergeTrees(checkout, { ours: head, theirs: onto, branch, target });
  if (merged.is === "failed") return merged;
  const paragraphs = [
    shorten(`Merge ${printable(target)} into ${branch}`, 200),
    ...conflictList(merged.conflicts),
    effectTrailer(updateKey(task, onto)),
  ];
  const made = await commitTree(checkout.run, { tree: merged.tree, parents: [head, onto], paragraphs });
  if (made.is === "failed") return made;
  const kept = await setAside(checkout, { commit: made.commit, head });
  if (kept.is === "failed") return kept;
  const swap = { to: made.commit, from: head, why: `ralph: merge ${onto}` };
  const failed = (await swapRef(checkout.run, branchRef(branch), swap)) ?? (await checkOut(checkout.run));
  if (failed !== null) return { is: "failed", why: failed };
  const aside = kept.is === "kept" ? [...was.aside, kept.ref] : was.aside;
  return outcome(merged, { head: made.commit, onto, aside });
}

const MOST_NAMED = 20;

function conflictList(conflicts: readonly Conflict[]): string[] {
  if (conflicts.length === 0) return [];
  const named = conflicts.slice(0, MOST_NAMED).map(({ path, kind }) => `  ${shorten(printable(path), 200)} (${kind})`);
  const rest = conflicts.length - named.length;
  return [["With conflict markers in:", ...named, ...(rest > 0 ? [`  and ${rest} more`] : [])].join("\n")];
}

/** What a branch may contain without being verified again. */
export interface Proven {
  /** The verified commit, or the one that Ralph made from it. */
  commit: string;
  /** The source file in which Ralph marks the task as done on top of it; null if there is none. */
  mark: string | null;
}

const updateKey = (task: string, onto: string): string => `merge/${task}/${onto}`;

/** The parents (ours, theirs) of a commit whose trailer, which can be forged, says it is a merge of the target. */
async function updateAt({ run, task }: Checkout, commit: string): Promise<[string, string] | null> {
  const shown = await run(["show", "--no-patch", "--format=%P%n%B", commit]);
  const [parents = "", ...message] = shown.stdout.trimEnd().split("\n");
  const [ours = "", theirs] = parents.split(" ");
  return theirs !== undefined && message.at(-1) === effectTrailer(updateKey(task, theirs)) ? [ours, theirs] : null;
}

/**
 * Whether a branch is what was verified: that commit, with Ralph's mark on top, or a merge that Ralph made from it but
 * did not journal before it was killed. The merge is repeated for comparison, because its message proves nothing.
 */
async function isProven(checkout: Checkout, head: string, proven: Proven, request: UpdateRequest): Promise<boolean> {
  const { branch, target } = request;
  if (await isMarked(checkout, head, proven)) return true;
  const [ours, theirs] = (await updateAt(checkout, head)) ?? [];
  if (ours === undefined || theirs === undefined || !(await isMarked(checkout, ours, proven))) return false;
  const merged = await mergeTrees(checkout, { ours, theirs, branch, target });
  return merged.is === "merged" && (await filesBetween(checkout.path, merged.tree, head))?.length === 0;
}

async function isMarked({ path }: Checkout, head: string, { commit, mark }: Proven): Promise<boolean> {
  if (head === commit) return true;
  const files = await filesBetween(path, commit, head);
  return files?.every((file) => file === mark) ?? false;
}
