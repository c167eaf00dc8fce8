import type { TaskSummary } from "../../../core/task/store.ts";
import { isBegun, type TaskStatus } from "../../../core/task/task.ts";

/** A task with the unfinished tasks of the same execution that come before it. */
export interface Ordered {
  id: string;
  after: string[];
}

type Listed = Pick<TaskSummary, "id" | "status" | "held" | "dependencies">;

const CAN_RUN: ReadonlySet<TaskStatus> = new Set(["todo", "implementing", "reviewing", "testing", "qa"]);

/**
 * The tasks in the order in which an execution starts them, one at a time: interrupted ones first, then ready ones in
 * the given order. Tasks that wait for anything else are left out.
 */
export function startOrder(listed: readonly Listed[], isDone: (id: string) => boolean): Ordered[] {
  const rows = listed.filter(({ status, held }) => CAN_RUN.has(status) && !held);
  let waiting = [...rows.filter(isBegun), ...rows.filter((task) => !isBegun(task))];
  const ordered = new Map<string, Ordered>();
  while (true) {
    const next = waiting.find(({ dependencies }) => dependencies.every((id) => ordered.has(id) || isDone(id)));
    if (!next) return [...ordered.values()];
    const { id, dependencies } = next;
    ordered.set(id, { id, after: dependencies.filter((one) => !isDone(one)) });
    waiting = waiting.filter((one) => one !== next);
  }
}
