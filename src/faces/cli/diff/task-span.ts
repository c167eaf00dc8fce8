import { hardenedGit } from "../../../adapters/git/hardened-git.ts";
import { branchRef, commitAt } from "../../../adapters/git/task-refs.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import type { TaskState } from "../../../core/task/state.ts";

/** What a task has changed: two commits, and what has to be said about them. */
interface TaskSpan {
  from: string;
  to: string;
  notes: string[];
}

/**
 * From where the branch of a task began to its end, or to what was merged. What the target had got meanwhile, and the
 * branch with it, is no work of the task.
 */
export async function taskSpan(root: string, id: string, state: TaskState): Promise<TaskSpan> {
  const { work, onto, merged, proven, loop } = state;
  if (!work) {
    throw new RalphError("task-unbegun", `${id} has no branch yet: no agent has worked on it`, {
      hint: `\`ralph task show ${id}\` shows its state`,
      exitCode: EXIT.stopped,
    });
  }
  const run = await hardenedGit(root, { whose: "ralph" });
  const head = merged ?? (await commitAt(run, branchRef(work.branch))) ?? proven;
  const from = onto ?? work.base;
  if (head === null || (await commitAt(run, head)) === null || (await commitAt(run, from)) === null) {
    throw new RalphError("branch-gone", `the branch of ${id}, ${work.branch}, is gone, and it was not merged`, {
      hint: "`git reflog` may still know its commits",
      exitCode: EXIT.stopped,
    });
  }
  const notes =
    loop === null ? [] : [`an agent works on ${id}: \`ralph diff ${loop}\` also shows what is not committed`];
  return { from, to: head, notes };
}
