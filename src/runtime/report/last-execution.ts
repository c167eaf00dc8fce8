import { RalphError } from "../../core/errors.ts";
import type { TaskSummary } from "../../core/task/store.ts";
import type { Workspace } from "../../core/workspace.ts";

export interface LastExecution {
  id: string;
  startedMs: number;
}

/** Only the newest tasks are read: an execution that none of them belongs to is not the latest. */
const MOST_TASKS = 300;

/** The execution that started last and did anything since `sinceMs`; null if there is none. */
export async function lastExecution(
  { tasks }: Workspace,
  known: readonly TaskSummary[],
  sinceMs: number,
): Promise<LastExecution | null> {
  const recent = known.filter(({ updatedAtMs }) => updatedAtMs >= sinceMs);
  const newest = [...recent].sort((a, b) => b.updatedAtMs - a.updatedAtMs).slice(0, MOST_TASKS);
  const started = new Map<string, number>();
  for (const { id } of newest) {
    try {
      for await (const { event, atMs } of tasks.entries(id))
        if (event.type === "task.taken")
          started.set(event.execution, Math.min(atMs, started.get(event.execution) ?? atMs));
    } catch (error) {
      // A damaged journal is reported with its task.
      if (!(error instanceof RalphError)) throw error;
    }
  }
  const [last] = [...started].sort(([, a], [, b]) => b - a);
  return last ? { id: last[0], startedMs: last[1] } : null;
}
