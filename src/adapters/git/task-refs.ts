import { cut } from "../../core/excerpt.ts";
import type { HardenedGit } from "./hardened-git.ts";

/** The branch that a task is worked on. Its id satisfies `isId`. */
export const branchOf = (task: string): string => `task/${task}`;
export const branchRef = (branch: string): string => `refs/heads/${branch}`;
/** Says that Ralph made the branch of a task, and where it began. */
export const baseRef = (task: string): string => `refs/ralph/base/${task}`;
/** Below it is kept what lay in the worktree of a task and is in none of its commits. */
export const asideRefs = (task: string): string => `refs/ralph/aside/${task}`;

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
export const isHash = (text: string): boolean => HASH.test(text);

/** The commit that a ref stands for; null where there is none. */
export async function commitAt(run: HardenedGit, ref: string): Promise<string | null> {
  const { code, stdout } = await run(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]);
  return code === 0 ? stdout.trim() : null;
}

/** Whether a commit can be reached from another one, or is the same; null where git cannot tell. */
export async function isReachable(run: HardenedGit, commit: string, from: string): Promise<boolean | null> {
  if (commit === from) return true;
  const { code } = await run(["merge-base", "--is-ancestor", commit, from]);
  return code === 0 ? true : code === 1 ? false : null;
}

/** Sets a ref to a commit if it is still what it was. Null, or git's words. */
export async function swapRef(
  run: HardenedGit,
  ref: string,
  { to, from, why }: { to: string; from?: string; why: string },
): Promise<string | null> {
  const { code, stderr } = await run(["update-ref", "-m", why, ref, to, ...(from === undefined ? [] : [from])]);
  return code === 0 ? null : gitErrorText(stderr);
}

/** What git says, in few words and without its advice. */
export function gitErrorText(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^(?:hint|warning):/.test(line));
  return cut(lines.join("\n").trim() || "git could not be run", 500);
}
