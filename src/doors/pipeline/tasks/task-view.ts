import type { Workspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { taskDocument } from "../../../core/task/document.ts";
import type { TaskEntry } from "../../../core/task/events.ts";
import type { LoadedTask, TaskSummary } from "../../../core/task/store.ts";
import type { TaskStatus } from "../../../core/task/task.ts";

export interface TaskView extends Pick<LoadedTask, "task" | "seq" | "state"> {
  dependencies: { id: string; title: string; status: TaskStatus }[];
  followups: TaskSummary[];
  /** Its last entries; `earlier` is the number of those before. */
  history: TaskEntry[];
  earlier: number;
  loops: LoopSummary[];
}

/** Limits for the history and loops of a task that is retried endlessly. */
const MOST_ENTRIES = 40;
const MOST_LOOPS = 20;

export async function viewTask({ tasks, store }: Workspace, id: string): Promise<TaskView> {
  const { task, seq, state } = await tasks.load(id);
  const history: TaskEntry[] = [];
  const begun: string[] = [];
  let entries = 0;
  for await (const entry of tasks.entries(id)) {
    entries++;
    keep(history, entry, MOST_ENTRIES);
    if (entry.event.type === "stage.began") keep(begun, entry.event.loop, MOST_LOOPS);
  }
  const loops = await Promise.all(begun.map((loop) => store.find(loop).catch(unlessMissing)));
  return {
    ...{ task, seq, state },
    dependencies: await Promise.all(task.dependencies.map((one) => tasks.find(one))),
    followups: await tasks.list({ parent: id }),
    history,
    earlier: entries - history.length,
    loops: loops.filter((loop) => loop !== null),
  };
}

function keep<Item>(kept: Item[], item: Item, most: number): void {
  kept.push(item);
  if (kept.length > most) kept.shift();
}

/** A loop is journalled before it is created: a process killed in between leaves only its id. */
function unlessMissing(error: unknown): null {
  if (error instanceof RalphError) return null;
  throw error;
}

/** The task as one document: the documented keys first, then Ralph's own. */
export const taskPage = ({ task, state, dependencies, followups, history, loops }: TaskView) => ({
  ...taskDocument(task),
  waits_for: dependencies.filter(({ status }) => status !== "done").map(({ id }) => id),
  parent: parentOf(task.metadata),
  followups: followups.map(({ id }) => id),
  attempt: state.attempt,
  rounds: state.rounds,
  blocked: state.blocked,
  waits: state.waits,
  work: state.work,
  merged: state.merged,
  weak: state.weak ?? [],
  history: history.map(({ seq, atMs, event }) => ({ seq, at: new Date(atMs).toISOString(), ...event })),
  loops: loops.map(({ id, part, status, reason, iteration, costUsd, tokens }) => ({
    ...{ id, place: part?.place ?? null, status, reason, iteration, cost_usd: costUsd, tokens },
  })),
});

const parentOf = ({ parent }: Readonly<Record<string, unknown>>): string | null =>
  typeof parent === "string" ? parent : null;
