import { cut } from "../../core/excerpt.ts";
import type { HardenedGit } from "./hardened-git.ts";

/** What follows is the name that a loop's branch and worktree have; a task's have its id. */
const OF_LOOPS = "ralph/";
export const loopWork = (name: string): string => `${OF_LOOPS}${name}`;
export const isLoopWork = (work: string): boolean => work.startsWith(OF_LOOPS);

/** The branch of a task, by its id, which satisfies `isId`; or of a loop, by the branch itself. */
export const branchOf = (work: string): string => (isLoopWork(work) ? work : `task/${work}`);
/** The work that a branch was made for. */
export const workOn = (branch: string): string => (isLoopWork(branch) ? branch : branch.replace(/^task\//, ""));
export const branchRef = (branch: string): string => `refs/heads/${branch}`;
/** Records that Ralph created the branch, and where it started. */
export const baseRef = (work: string): string => ref(work, "base");
/** The prefix of refs that save uncommitted files of its worktree. */
export const asideRefs = (work: string): string => ref(work, "aside");
/** The name of its worktree's folder, which no other work has. */
export const folderOf = (work: string): string => work.replace("/", "~");

const ref = (work: string, kind: string): string =>
  isLoopWork(work) ? `refs/ralph/loop-${kind}/${work.slice(OF_LOOPS.length)}` : `refs/ralph/${kind}/${work}`;

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
