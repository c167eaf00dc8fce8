import { EXIT, RalphError } from "../../../core/errors.ts";
import type { Lease } from "../../../core/lease.ts";
import { definitionDifferences, definitionOf } from "../../../core/task/definition.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { taskKind } from "../../../core/task/kind.ts";
import type { TaskState } from "../../../core/task/state.ts";
import type { LoadedTask, WrittenChange } from "../../../core/task/store.ts";
import type { Task, TaskChange } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { openDraft, openLedger } from "../../../engine/ledger.ts";
import { agentBehind, type Caller } from "../../../runtime/person.ts";
import { requireLease, underRequiredLease } from "../../../runtime/under-lease.ts";

/** The statuses that the user can set. An execution sets the others. */
export type PersonStatus = "todo" | "cancelled";

interface TaskChangeRequest {
  change: TaskChange;
  status?: PersonStatus | undefined;
  by: string;
}

/** Changes a task that is not being worked on. */
export async function changeTask(
  workspace: Workspace,
  id: string,
  { change, status, by }: TaskChangeRequest,
): Promise<Task> {
  const [task] = await changeTasks(workspace, [{ id, change }], { status, by });
  return task ?? workspace.tasks.find(id);
}

/** Changes tasks that are not being worked on: all of them, or none if one of them cannot be changed. */
export async function changeTasks(
  workspace: Workspace,
  changes: readonly { id: string; change: TaskChange }[],
  { status, by }: Omit<TaskChangeRequest, "change">,
): Promise<Task[]> {
  const { tasks } = workspace;
  await findAll(workspace, changes);
  const leases: Lease[] = [];
  try {
    for (const { id } of changes) leases.push(await requireLease(workspace, { kind: "task", id }));
    const written: WrittenChange[] = [];
    for (const { id, change } of changes) {
      const entries = status ? becoming(await tasks.load(id), status, by) : null;
      written.push({ id, change, written: entries });
    }
    return await tasks.updateAll(written, Date.now());
  } finally {
    for (const lease of leases) lease.release();
  }
}

/** The tasks with these ids. The error for missing ones names all of them. */
export async function findAll({ tasks }: Workspace, ids: readonly { id: string }[]): Promise<Task[]> {
  const found: Task[] = [];
  const missing: RalphError[] = [];
  for (const { id } of ids) {
    try {
      found.push(await tasks.find(id));
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "task-unknown") throw error;
      missing.push(error);
    }
  }
  const [first, ...others] = missing;
  if (!first) return found;
  const unchanged = ids.length > 1 ? "; nothing was changed" : "";
  throw first.with({ message: [first, ...others].map(({ message }) => message).join("; ") + unchanged });
}

/** Removes a task that is not being worked on. */
export const removeTask = (workspace: Workspace, id: string): Promise<void> =>
  undriven(workspace, id, () => workspace.tasks.remove(id));

/** Does something to a task that is not being worked on. */
export async function undriven<T>(workspace: Workspace, id: string, work: () => Promise<T>): Promise<T> {
  // Checked first, because taking a lease creates a file with this name.
  await workspace.tasks.find(id);
  return underRequiredLease(workspace, { kind: "task", id }, work);
}

/** The entries that give a task another status; null if it has that status. */
function becoming(loaded: LoadedTask, status: PersonStatus, by: string): WrittenChange["written"] {
  const { id, state } = loaded;
  if (state.status === "done") {
    throw new RalphError("task-done", `task ${id} is done and its work is merged, so it cannot be changed`, {
      hint: `ralph task followup <new-id> ${id} "<title>" creates a follow-up task`,
    });
  }
  if (status === "todo" && state.status === "proposed") throw proposedTask(id);
  if (isSo(state, status)) return null;
  const draft = openDraft(taskKind, loaded, Date.now);
  draft.note(status === "todo" ? { type: "task.retried", by } : { type: "task.dropped", by });
  return { fence: loaded, entries: draft.pending.map(({ entry }) => entry), state: draft.state };
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
export function authorOf(
  workspace: Workspace,
  what: string,
  caller?: Caller,
): TaskEvent & { type: "task.added" | "task.proposed" } {
  const agent = agentBehind(workspace, caller);
  if (agent) return { type: "task.proposed", by: agent.who };
  return { type: "task.added", by: `${what} (pid ${process.pid})` };
}
