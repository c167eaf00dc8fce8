import { commitFile } from "../../../adapters/git/commit-file.ts";
import { headOf } from "../../../adapters/git/repository.ts";
import { isTracked } from "../../../adapters/git/tracked.ts";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { shorten } from "../../../core/excerpt.ts";
import type { TaskWork } from "../../../core/task/events.ts";
import type { TaskContext } from "../context.ts";
import { type MarkableSource, markableSource, writePassed } from "../import/mark-source-done.ts";

const SUBJECT_CHARS = 100;

/** Marks the task in its source file, if git tracks it, so that the mark is merged. Returns the branch's commit. */
export async function markInWork(context: TaskContext, { worktree }: TaskWork, head: string): Promise<string> {
  const { ledger, view } = context;
  const source = markableSource(ledger.task.metadata);
  if (!source || !(await isTracked(worktree, source.path))) return head;
  const note = await writePassed(worktree, source);
  if (note.is === "refused") view.say(ledger.task.id, `${note.path} was not marked: ${note.why}`);
  if (note.is !== "written") return head;
  const subject = shorten(`${ledger.task.id}: done in ${source.path}`, SUBJECT_CHARS);
  const why = await commitFile({ root: worktree, path: source.path, subject });
  if (why !== null) view.say(ledger.task.id, `${source.path} was not marked: ${why}`);
  return headOf(worktree);
}

/** Marks the task as done in the user's checkout, for a file that git does not track. */
export async function markInCheckout(context: TaskContext, { worktree }: TaskWork): Promise<void> {
  const { ledger, view, cwd } = context;
  const source: MarkableSource | null = markableSource(ledger.task.metadata);
  if (!source || (await isTracked(worktree, source.path))) return;
  const note = await writePassed(checkoutRoot(cwd) ?? cwd, source);
  if (note.is === "refused") view.say(ledger.task.id, `${note.path} was not marked: ${note.why}`);
}
