import { RalphError } from "../../../core/errors.ts";
import type { NewTask } from "../../../core/task/task.ts";
import { type Existing, type ImportSource, type Plan, TAKEN } from "./plan.ts";
import { sourceKey, sourceOf } from "./source.ts";

/** Plans complete tasks. Each keeps its own source, or gets this file. */
export function planTasks(
  tasks: readonly NewTask[],
  existing: Existing,
  { file, path }: Omit<ImportSource, "spec">,
): Plan {
  const plan: Plan = { tasks: [], there: [] };
  const foreignIds: string[] = [];
  for (const task of tasks) {
    const source = sourceOf(task.metadata) ?? { kind: "yaml", path, story: task.id };
    const other = existing.ids.get(task.id.toLowerCase());
    if (other === undefined) plan.tasks.push({ ...task, metadata: { ...task.metadata, source } });
    else if (existing.sources.get(sourceKey(source)) === other) plan.there.push(other);
    else foreignIds.push(other);
  }
  if (foreignIds.length === 0) return plan;
  throw new RalphError(
    "import-invalid",
    `${file}: other tasks with another source already have these ids: ${some(foreignIds)}`,
    {
      hint: TAKEN,
    },
  );
}

const MOST_NAMED = 5;

const some = (ids: readonly string[]): string =>
  ids.slice(0, MOST_NAMED).join(", ") + (ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : "");
