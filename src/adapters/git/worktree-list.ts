import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nulSplitter } from "../io/lines.ts";
import type { HardenedGit } from "./hardened-git.ts";

/** A checkout of a repository, the main one or a linked one. */
export interface Worktree {
  path: string;
  /** The full name of the checked-out ref; null if HEAD is detached. */
  branch: string | null;
  /** The reason for the lock; null if it is not locked. */
  locked: string | null;
  bare: boolean;
}

/** Every checkout of the repository, including those whose folder is gone. */
export async function listWorktrees(run: HardenedGit): Promise<Worktree[]> {
  const found: Worktree[] = [];
  const entries = nulSplitter((entry) => {
    const [, key, value = ""] = /^(\S+)(?: ([\s\S]*))?$/.exec(entry) ?? [];
    const last = found.at(-1);
    if (key === "worktree") found.push({ path: value, branch: null, locked: null, bare: false });
    else if (last && key === "branch") last.branch = value;
    else if (last && key === "locked") last.locked = value;
    else if (last && key === "bare") last.bare = true;
  });
  await run(["worktree", "list", "--porcelain", "-z"], { take: entries.add });
  return found;
}

/** The git directory of a checkout; null if it is not one. */
export async function gitDirOf(run: HardenedGit): Promise<string | null> {
  const { code, stdout } = await run(["rev-parse", "--path-format=absolute", "--git-dir"]);
  return code === 0 ? stdout.replace(/\n$/, "") : null;
}

const IN_PROGRESS: readonly [name: string, what: string][] = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["sequencer", "a cherry-pick or a revert"],
  ["BISECT_LOG", "a bisect"],
];

/** The git operation in progress in a checkout, in words, or null. */
export const inProgress = (gitDir: string): string | null =>
  IN_PROGRESS.find(([name]) => existsSync(join(gitDir, name)))?.[1] ?? null;

const HELD_BY = ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"];

/** The branch that a rebase or bisect in progress will return to. */
export function heldBranch(gitDir: string): string | null {
  const file = HELD_BY.map((name) => join(gitDir, name)).find((path) => existsSync(path));
  if (file === undefined) return null;
  const name = readFileSync(file, "utf8").trim();
  return name.startsWith("refs/") ? name : `refs/heads/${name}`;
}
