import { printable } from "../../../core/ansi.ts";
import { counted, firstNamed } from "../../../core/excerpt.ts";
import { typedWord } from "../../../core/shell.ts";
import type { WorktreeEnd } from "../../../doors/harness/finish.ts";
import { paint } from "../../terminal/paint.ts";

export const uncommittedWords = (files: readonly string[]): string =>
  `uncommitted changes are not in the worktree, which starts from the last commit: ${firstNamed(files)}`;

/** Where the work of a loop with its own worktree is, and what to do with it. */
export function worktreeLines(
  id: string,
  { branch, root, target, ahead, merged, kept, merge, why }: WorktreeEnd,
): string[] {
  if (merged && kept !== null)
    return [
      paint("green", `  merged into ${printable(target)}`),
      paint("yellow", `  ! the branch ${branch} and its worktree are kept: ${printable(kept)}`),
      "  next: ralph worktrees prune, once that is settled",
    ];
  if (merged)
    return [paint("green", `  merged into ${printable(target)}; the branch ${branch} and its worktree are removed`)];
  const commits = ahead === null ? "" : ` (${counted(ahead, "commit")})`;
  const [from, to] = [typedWord(target), typedWord(branch)];
  return [
    ...(why === null
      ? []
      : [
          paint("yellow", `  ! not ${merge ? "merged" : "committed"}: ${printable(why)}`),
          `  next: fix that, then ralph resume ${id}`,
        ]),
    `  branch: ${branch}${commits}, in ${printable(root)}`,
    ...(ahead === 0 ? [] : [paint("dim", `  diff: git diff ${from}...${to} · merge: git merge ${to}`)]),
    paint("dim", `  remove: ralph worktrees prune${ahead === 0 ? "" : ", once it is merged"}`),
  ];
}
