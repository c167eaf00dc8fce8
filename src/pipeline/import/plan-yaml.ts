import type { NewTask } from "../../core/task/task.ts";
import type { Existing, Place, Plan } from "./plan.ts";
import { refused } from "./refusal.ts";
import { sourceKey, sourceOf } from "./source.ts";

/** Plans tasks that are whole already: each keeps the source it names, or has this file for one. */
export function planTasks(tasks: readonly NewTask[], existing: Existing, { file, path }: Omit<Place, "spec">): Plan {
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
  const complaints = foreignIds.map((id) => `${id}: there is another task ${id}, which is not from here`);
  throw refused(
    file,
    complaints.map((text) => ({ line: 1, column: 1, text })),
  );
}
