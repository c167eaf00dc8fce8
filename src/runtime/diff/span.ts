import { hardenedGit } from "../../adapters/git/hardened-git.ts";
import { branchRef, commitAt } from "../../adapters/git/task-refs.ts";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { Entry, LoopEvent } from "../../core/loop/events.ts";
import type { TaskState } from "../../core/task/state.ts";

export interface Recorded {
  /** Before any work; null if none could be taken, or if an older version drove the loop. */
  start: string | null;
  /** The commit that was checked out then; empty if there was none. */
  head: string;
  last: string | null;
  /** By iteration: the latest one before it started, and the one after it. */
  iterations: ReadonlyMap<number, { before: string | null; after: string | null }>;
}

export async function recordedIn(entries: AsyncIterable<Entry>): Promise<Recorded> {
  const recorded: Reading = { start: null, head: "", last: null, iterations: new Map() };
  for await (const { event } of entries) note(recorded, event);
  return recorded;
}

interface Reading extends Recorded {
  iterations: Map<number, { before: string | null; after: string | null }>;
}

function note(read: Reading, event: LoopEvent): void {
  switch (event.type) {
    case "baseline.taken":
      read.start = event.snapshot ?? null;
      read.head = event.head;
      read.last = read.start ?? read.last;
      return;
    case "turn.began":
      if (!read.iterations.has(event.n)) read.iterations.set(event.n, { before: read.last, after: null });
      return;
    case "tree.seen": {
      const after = event.snapshot ?? null;
      read.iterations.set(event.n, { before: read.iterations.get(event.n)?.before ?? null, after });
      read.last = after ?? read.last;
      return;
    }
    case "claim.judged":
      read.last = event.verdict.snapshot ?? read.last;
  }
}

/**
 * From the start of a task's branch, or the target's commit last merged into it, to its end or its merge. Changes that
 * came from the target are not the task's work.
 */
export async function taskSpan(root: string, id: string, state: TaskState) {
  const { work, onto, merged, proven, loop } = state;
  if (!work) {
    throw new RalphError("task-unbegun", `${id} has no branch yet: no agent has worked on it`, {
      hint: `\`ralph task show ${id}\` shows its state`,
      exitCode: EXIT.stopped,
    });
  }
  const run = await hardenedGit(root, { whose: "ralph", isLook: true });
  const head = merged ?? (await commitAt(run, branchRef(work.branch))) ?? proven;
  const from = onto ?? work.base;
  if (head === null || (await commitAt(run, head)) === null || (await commitAt(run, from)) === null) {
    throw new RalphError("branch-gone", `the branch of ${id}, ${work.branch}, is gone, and it was not merged`, {
      hint: "`git reflog` may still have its commits",
      exitCode: EXIT.stopped,
    });
  }
  const notes =
    loop === null ? [] : [`an agent works on ${id}: \`ralph diff ${loop}\` also shows what is not committed`];
  return { from, to: head, notes };
}
