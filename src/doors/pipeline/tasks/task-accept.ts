import type { Workspace } from "../../../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { definitionDifferences, definitionOf } from "../../../core/task/definition.ts";
import { taskKind } from "../../../core/task/kind.ts";
import type { Task } from "../../../core/task/task.ts";
import { openLedger } from "../../../engine/ledger.ts";
import { undriven } from "./task-change.ts";

/** Accepts a task that an agent has proposed, as shown to the user. */
export const acceptTask = (workspace: Workspace, seen: Task, by: string): Promise<Task> =>
  undriven(workspace, seen.id, async () => {
    const { tasks } = workspace;
    const loaded = await tasks.load(seen.id);
    const { task, state } = loaded;
    const changed = definitionDifferences(definitionOf(seen), definitionOf(task));
    if (changed.length > 0) {
      throw new RalphError("task-changed", `${seen.id} was changed while you reviewed it: ${changed.join(", ")}`, {
        hint: `\`ralph task accept ${seen.id}\` shows it again`,
        exitCode: EXIT.stopped,
      });
    }
    if (state.proposedBy === null) return task;
    const event = { type: "task.accepted", by } as const;
    await openLedger(taskKind, loaded, { now: Date.now, store: tasks }).write(event);
    return tasks.find(seen.id);
  });
