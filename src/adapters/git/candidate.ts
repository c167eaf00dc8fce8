import { printable } from "../../core/ansi.ts";
import { shorten } from "../../core/excerpt.ts";
import { effectTrailer } from "./commit.ts";
import { commitTree } from "./commit-tree.ts";
import { hardenedGit } from "./hardened-git.ts";
import { branchOf, isHash, isReachable } from "./task-refs.ts";

interface CandidateRequest {
  /** A folder in the repository, usually the task's worktree. */
  worktree: string;
  task: string;
  /** Untrusted text. */
  title: string;
  /** The verified commit of the task's branch. */
  head: string;
  /** The current commit of the target branch. */
  onto: string;
}

type Candidate = { is: "made"; commit: string } | { is: "failed"; why: string };

const SUBJECT_CHARS = 100;

/**
 * Creates a merge commit with exactly the verified tree. If the task changed nothing, this is the target's own commit.
 * No ref is moved, and repeating the call returns the same commit.
 */
export async function makeCandidate({ worktree, task, title, head, onto }: CandidateRequest): Promise<Candidate> {
  if (!isHash(head) || !isHash(onto)) return { is: "failed", why: "a merge needs two commits" };
  if (head === onto) return { is: "made", commit: onto };
  const run = await hardenedGit(worktree, { whose: "ralph" });
  if ((await isReachable(run, onto, head)) !== true) return { is: "failed", why: `${head} does not contain ${onto}` };
  const subject = shorten(`Merge ${branchOf(task)}: ${printable(title)}`, SUBJECT_CHARS);
  const paragraphs = [subject, effectTrailer(`land/${task}/${onto}`)];
  return await commitTree(run, { tree: `${head}^{tree}`, parents: [onto, head], paragraphs });
}
