import { isReceiptPath } from "../../core/ralph-files.ts";
import { git } from "./repository.ts";

/** The hash of a commit's tree; empty if there is no such commit. `commit` is HEAD or a hash, never untrusted text. */
export async function treeHashOf(cwd: string, commit = "HEAD"): Promise<string> {
  const { code, stdout } = await git(cwd, "rev-parse", "--verify", "--quiet", `${commit}^{tree}`);
  return code === 0 ? stdout.trim() : "";
}

/** The files that differ between two trees, without receipts; null if one of the trees is missing. */
export async function filesBetween(cwd: string, before: string, after: string): Promise<string[] | null> {
  if (before === after) return [];
  const { code, stdout } = await git(cwd, "diff-tree", "-r", "--name-only", "-z", before, after);
  return code === 0 ? stdout.split("\0").filter((path) => path !== "" && !isReceiptPath(path)) : null;
}

/** Whether a commit contains a file or folder. The path is relative to `cwd`. */
export async function isInCommit(cwd: string, commit: string, path: string): Promise<boolean> {
  const { code, stdout } = await git(cwd, "ls-tree", "--name-only", commit, "--", path);
  return code === 0 && stdout !== "";
}

/** Whether a clone has only the newest part of its history. */
export const isShallow = async (cwd: string): Promise<boolean> =>
  (await git(cwd, "rev-parse", "--is-shallow-repository")).stdout.trim() === "true";

export const parentOf = async (cwd: string, commit: string): Promise<string> =>
  (await git(cwd, "rev-parse", "--verify", "--quiet", `${commit}^1`)).stdout.trim();

export const mergeBase = async (cwd: string, one: string, other: string): Promise<string> =>
  (await git(cwd, "merge-base", one, other)).stdout.trim();
