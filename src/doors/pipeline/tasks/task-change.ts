import { EXIT, RalphError } from "../../../core/errors.ts";
import { definitionDifferences, definitionOf } from "../../../core/task/definition.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { taskKind } from "../../../core/task/kind.ts";
import type { TaskState } from "../../../core/task/state.ts";
import type { Task, TaskChange } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { openLedger } from "../../../engine/ledger.ts";
import { agentBehind } from "../../../runtime/person.ts";
import { underRequiredLease } from "../../../runtime/under-lease.ts";

/** The statuses that the user can set. An execution sets the others. */
export type PersonStatus = "todo" | "cancelled";

interface TaskChangeRequest {
  change: TaskChange;
  status?: PersonStatus | undefined;
  by: string;
}

/** Changes a task that is not being worked on. */
export const changeTask = (
  workspace: Workspace,
  id: string,
  { change, status, by }: TaskChangeRequest,
): Promise<Task> =>
  undriven(workspace, id, async () => {
    const { tasks } = workspace;
    // The status first: an interrupted task can be changed once it is back at todo.
    if (status) await become(workspace, id, status, by);
    return Object.keys(change).length > 0 ? tasks.update(id, change, Date.now()) : tasks.find(id);
  });

/** Removes a task that is not being worked on. */
export const removeTask = (workspace: Workspace, id: string): Promise<void> =>
  undriven(workspace, id, () => workspace.tasks.remove(id));

/** Does something to a task that is not being worked on. */
export async function undriven<T>(workspace: Workspace, id: string, work: () => Promise<T>): Promise<T> {
  // Checked first, because taking a lease creates a file with this name.
  await workspace.tasks.find(id);
  return underRequiredLease(workspace, { kind: "task", id }, work);
}

async function become({ tasks }: Workspace, id: string, status: PersonStatus, by: string): Promise<void> {
  const { state, write } = openLedger(taskKind, await tasks.load(id), { now: Date.now, store: tasks });
  if (state.status === "done") {
    throw new RalphError("task-done", `task ${id} is done and its work is merged, so it cannot be changed`, {
      hint: `ralph task followup <new-id> ${id} "<title>" creates a follow-up task`,
    });
  }
  if (status === "todo" && state.status === "proposed") throw proposedTask(id);
  if (isSo(state, status)) return;
  await write(status === "todo" ? { type: "task.retried", by } : { type: "task.dropped", by });
}

/** The error for a task that the user has not accepted. */
export const proposedTask = (id: string): RalphError =>
  new RalphError("task-proposed", `task ${id} was proposed by an agent and has not been accepted yet`, {
    hint: `\`ralph task show ${id}\` shows what it would run; \`ralph task accept ${id}\` accepts it`,
  });

const isSo = (state: TaskState, status: PersonStatus): boolean =>
  state.status === status && (status === "cancelled" || (!state.held && state.attempt === 1));

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
    await openLedger(taskKind, loaded, { now: Date.now, store: tasks }).write({ type: "task.accepted", by });
    return tasks.find(seen.id);
  });

/** The first event of a new task: the user has added it, or an agent has proposed it. */
export function authorOf(workspace: Workspace, what: string): TaskEvent & { type: "task.added" | "task.proposed" } {
  const agent = agentBehind(workspace);
  if (agent) return { type: "task.proposed", by: agent.who };
  return { type: "task.added", by: `${what} (pid ${process.pid})` };
}
