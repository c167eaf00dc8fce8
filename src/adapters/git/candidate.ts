import { printable } from "../../core/ansi.ts";
import { shorten } from "../../core/excerpt.ts";
import { effectTrailer } from "./commit.ts";
import { commitTree } from "./commit-tree.ts";
import { hardenedGit } from "./hardened-git.ts";
import { branchOf, isHash, isReachable } from "./task-refs.ts";

interface CandidateRequest {
  worktree: string;
  task: string;
  /** Untrusted text. */
  title: string;
  head: string;
  onto: string;
}

type Candidate = { is: "made"; commit: string } | { is: "failed"; why: string };

const SUBJECT_CHARS = 100;

/** A merge commit with exactly the verified tree, or `onto` if the task changed nothing. Idempotent; moves no ref. */
export async function makeCandidate({ worktree, task, title, head, onto }: CandidateRequest): Promise<Candidate> {
  if (!isHash(head) || !isHash(onto)) return { is: "failed", why: "a merge needs two commits" };
  if (head === onto) return { is: "made", commit: onto };
  const run = await hardenedGit(worktree, { whose: "ralph" });
  if ((await isReachable(run, onto, head)) !== true) return { is: "failed", why: `${head} does not contain ${onto}` };
  const subject = shorten(`Merge ${branchOf(task)}: ${printable(title)}`, SUBJECT_CHARS);
  const paragraphs = [subject, effectTrailer(`land/${task}/${onto}`)];
  return await commitTree(run, { tree: `${head}^{tree}`, parents: [onto, head], paragraphs });
}
