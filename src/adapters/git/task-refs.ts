import { cut } from "../../core/excerpt.ts";
import type { HardenedGit } from "./hardened-git.ts";

/** The branch of a task. The id satisfies `isId`. */
export const branchOf = (task: string): string => `task/${task}`;
export const branchRef = (branch: string): string => `refs/heads/${branch}`;
/** Records that Ralph created the branch of a task, and where it started. */
export const baseRef = (task: string): string => `refs/ralph/base/${task}`;
/** The prefix of refs that save uncommitted files of a task's worktree. */
export const asideRefs = (task: string): string => `refs/ralph/aside/${task}`;

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
export const isHash = (text: string): boolean => HASH.test(text);

/** The commit that a ref points to; null if there is none. */
export async function commitAt(run: HardenedGit, ref: string): Promise<string | null> {
  const { code, stdout } = await run(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  return code === 0 ? stdout.trim() : null;
}

/** Whether a commit is reachable from another one, or the same; null if git cannot determine it. */
export async function isReachable(run: HardenedGit, commit: string, from: string): Promise<boolean | null> {
  if (commit === from) return true;
  const { code } = await run(["merge-base", "--is-ancestor", commit, from]);
  return code === 0 ? true : code === 1 ? false : null;
}

/** Points a ref to a commit if it has not moved. Returns git's error message, or null. */
export async function swapRef(
  run: HardenedGit,
  ref: string,
  { to, from, why }: { to: string; from?: string; why: string },
): Promise<string | null> {
  const { code, stderr } = await run(["update-ref", "-m", why, ref, to, ...(from === undefined ? [] : [from])]);
  return code === 0 ? null : gitErrorText(stderr);
}

/** Git's error message, shortened and without hints. */
export function gitErrorText(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^(?:hint|warning):/.test(line));
  return cut(lines.join("\n").trim() || "git could not be run", 500);
}
