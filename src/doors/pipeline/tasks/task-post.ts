import { keyName } from "../../../core/complaints.ts";
import { RalphError } from "../../../core/errors.ts";
import type { Fault } from "../../../core/schema/faults.ts";
import type { NewTask, Task } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import type { Caller } from "../../../runtime/person.ts";
import { addTasks, defaultSpec } from "./task-add.ts";
import { authorOf } from "./task-change.ts";
import { type Items, itemsOf, tasksIn } from "./task-text.ts";

/** Tasks as another program sends them, and who sends them. */
interface PostedTasks {
  /** One task, or `tasks` with a list. */
  value: unknown;
  withoutCriteria: boolean;
  by: string;
  /** The process that sends them; omitted if it is not known. */
  caller?: Caller | undefined;
}

export type Posted =
  | { is: "faulty"; faults: readonly Fault[] }
  | { is: "created"; tasks: Task[]; specs: string[]; proposed: boolean };

const MOST_TASKS = 1_000;

/**
 * Creates tasks by the rules of `ralph task create`: all of them or none. Those without ids get the next free ones, and
 * those without a spec the one of `ralph task add`.
 */
export async function postTasks(
  workspace: Workspace,
  { value, withoutCriteria, by, caller }: PostedTasks,
): Promise<Posted> {
  const listed = itemsOf(value) ?? { items: [value], at: () => [] };
  if (listed.items.length === 0) throw new RalphError("tasks-missing", "there are no tasks in it", { hint: HINT });
  if (listed.items.length > MOST_TASKS)
    throw new RalphError("tasks-many", `${listed.items.length} tasks at once`, { hint: `send at most ${MOST_TASKS}` });
  const isUnnamed = listed.items.every((item) => !hasId(item));
  const spec = await defaultSpec(workspace);
  const { tasks, faults } = await tasksIn(isUnnamed ? numbered(listed) : listed, "the body", { spec, withoutCriteria });
  if (faults.length > 0) return { is: "faulty", faults: faults.map((fault) => named(fault, listed.at(0).length)) };
  const author = authorOf(workspace, by, caller);
  const { added, specs } = isUnnamed
    ? await addTasks(workspace, tasks, author)
    : { added: tasks, specs: await workspace.tasks.create(tasks, Date.now(), author) };
  return {
    is: "created",
    tasks: await Promise.all(added.map(({ id }: NewTask) => workspace.tasks.find(id))),
    specs,
    proposed: author.type === "task.proposed",
  };
}

const HINT = "docs/tasks.md shows tasks with every key";

/** The text names the field in its task; in a list, it also names the task. */
const named = ({ path, at, text }: Fault, depth: number): Fault => ({
  ...{ path, at },
  text: depth > 0 ? `${keyName(path.slice(0, depth))}.${text}` : text,
});

const isObject = (item: unknown): item is Record<string, unknown> =>
  typeof item === "object" && item !== null && !Array.isArray(item);

const hasId = (item: unknown): boolean => !isObject(item) || (item.id !== undefined && item.id !== null);

/** With ids that are replaced. */
const numbered = ({ items, at }: Items): Items => ({
  items: items.map((item, i) => (isObject(item) ? { ...item, id: `TASK-${i}` } : item)),
  at,
});
