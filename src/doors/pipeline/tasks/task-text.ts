import type { NamedText } from "../../../adapters/io/yaml-document.ts";
import { faultyYaml, readYaml } from "../../../adapters/io/yaml-text.ts";
import { RalphError } from "../../../core/errors.ts";
import type { Fault } from "../../../core/schema/faults.ts";
import type { TaskRead, TaskRules } from "../../../core/schema/task.ts";
import type { NewTask } from "../../../core/task/task.ts";

const HINT = "docs/tasks.md shows tasks with every key; `ralph task export` writes existing ones";

export interface TasksRead {
  tasks: NewTask[];
  /** How many of them have a status other than `todo`, as in an export. */
  begunElsewhere: number;
}

/** Parses the tasks of a YAML or JSON text. Throws a RalphError that lists every mistake with its position. */
export async function readTasks(file: string, source: string, rules: TaskRules = {}): Promise<TasksRead> {
  // Some editors on Windows write a byte order mark.
  const text: NamedText = { file, source: source.replace(/^\uFEFF/, ""), hint: HINT };
  const value = await readYaml(text);
  const listed = itemsOf(value);
  if (!listed) throw await faultyYaml(text, [{ path: [], at: "value", text: WANTED }]);
  if (listed.items.length === 0) throw new RalphError("tasks-missing", `${file}: no tasks in it`, { hint: HINT });
  const { faults, ...read } = await tasksIn(listed, file, rules);
  if (faults.length > 0) throw await faultyYaml(text, faults);
  return read;
}

/** The tasks of a list, and every mistake with its path. */
export async function tasksIn(
  { items, at }: Items,
  name: string,
  rules: TaskRules,
): Promise<TasksRead & { faults: Fault[] }> {
  const { readTask } = await import("../../../core/schema/task.ts");
  const read = items.map((item) => readFlat(() => readTask(item, rules), name));
  const good = read.flatMap((one) => (one.task ? [one] : []));
  return {
    tasks: good.map(({ task }) => task),
    begunElsewhere: good.filter(({ status }) => status !== "todo").length,
    faults: [...read.flatMap((one, i) => faultsAt(one, at(i))), ...repeatedIds(read, at)],
  };
}

const WANTED = "expected a list of tasks, or `task:` with one, or `tasks:` with a list";

export interface Items {
  items: readonly unknown[];
  at(index: number): PropertyKey[];
}

/** A list of tasks, `task` with one or `tasks` with a list; null for anything else. */
export function itemsOf(value: unknown): Items | null {
  if (Array.isArray(value)) return { items: value, at: (i) => [i] };
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 1) return null;
  if ("task" in value) return { items: [value.task], at: () => ["task"] };
  if ("tasks" in value && Array.isArray(value.tasks)) return { items: value.tasks, at: (i) => ["tasks", i] };
  return null;
}

/** Reports a task that is nested too deeply instead of a stack overflow. */
function readFlat(read: () => TaskRead, file: string): TaskRead {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RalphError("tasks-unreadable", `${file}: a task in it is nested too deeply`, { hint: HINT, cause });
  }
}

const faultsAt = ({ faults = [] }: TaskRead, at: readonly PropertyKey[]): Fault[] =>
  faults.map((fault) => ({ ...fault, path: [...at, ...fault.path] }));

function repeatedIds(read: readonly TaskRead[], at: Items["at"]): Fault[] {
  const seen = new Set<string>();
  return read.flatMap(({ task }, i): Fault[] => {
    const isNew = !task || !seen.has(task.id);
    if (task) seen.add(task.id);
    return isNew ? [] : [{ path: [...at(i), "id"], at: "value", text: `id: ${task.id} is given twice` }];
  });
}
