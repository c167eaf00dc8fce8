import type { Workspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { taskKind } from "../../../core/task/kind.ts";
import type { TaskState } from "../../../core/task/state.ts";
import type { Task, TaskChange } from "../../../core/task/task.ts";
import { openLedger } from "../../../engine/ledger.ts";
import { requireLease } from "../../../runtime/inbox.ts";

/** What a person can make of a task. The other statuses are facts of an execution. */
export type PersonStatus = "todo" | "cancelled";

export interface TaskWish {
  change: TaskChange;
  status?: PersonStatus | undefined;
  by: string;
}

/** Changes a task that nobody drives just now. */
export const changeTask = (workspace: Workspace, id: string, { change, status, by }: TaskWish): Promise<Task> =>
  undriven(workspace, id, async () => {
    const { tasks } = workspace;
    // The status first: a task that an execution left behind can be changed once it is taken back.
    if (status) await become(workspace, id, status, by);
    return Object.keys(change).length > 0 ? tasks.update(id, change, Date.now()) : tasks.find(id);
  });

/** Removes a task that nobody drives just now. */
export const removeTask = (workspace: Workspace, id: string): Promise<void> =>
  undriven(workspace, id, () => workspace.tasks.remove(id));

/** Does something to a task that nobody drives just now. */
export async function undriven<T>(workspace: Workspace, id: string, work: () => Promise<T>): Promise<T> {
  // Looked for first: a lease is a file of that name.
  await workspace.tasks.find(id);
  const lease = await requireLease(workspace, { kind: "task", id });
  try {
    return await work();
  } finally {
    lease.release();
  }
}

async function become({ tasks }: Workspace, id: string, status: PersonStatus, by: string): Promise<void> {
  const task = await tasks.load(id);
  const { state } = task;
  if (state.status === "done") {
    throw new RalphError("task-done", `task ${id} is done, and stays so: its work is merged`, {
      hint: `ralph task followup <new-id> ${id} "<title>" makes a task that goes on from it`,
    });
  }
  if (status === "todo" && state.status === "proposed") throw proposedTask(id);
  if (isSo(state, status)) return;
  const event: TaskEvent = status === "todo" ? { type: "task.retried", by } : { type: "task.dropped", by };
  await openLedger(taskKind, task, { now: Date.now, store: tasks }).write(event);
}

/** What is refused for a task that no person has accepted. */
export const proposedTask = (id: string): RalphError =>
  new RalphError("task-proposed", `task ${id} was proposed by an agent, and no person has accepted it`, {
    hint: `\`ralph task show ${id}\` shows what it would run; \`ralph task accept ${id}\` accepts it`,
  });

const isSo = (state: TaskState, status: PersonStatus): boolean =>
  state.status === status && (status === "cancelled" || (!state.held && state.attempt === 1));
