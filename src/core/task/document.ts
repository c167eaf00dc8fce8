import type { SpecSummary, TaskSummary } from "./store.ts";
import type { Spec, Task } from "./task.ts";

/** The priority of a task that has none. */
export const DEFAULT_PRIORITY = 3;

/** A task in a list: the documented fields first, then Ralph's own. */
export const summaryDocument = (task: TaskSummary) => ({
  id: task.id,
  spec_id: task.specId,
  title: task.title,
  status: task.status,
  priority: task.priority,
  dependencies: task.dependencies,
  assignee: task.assignee,
  created_at: new Date(task.createdAtMs).toISOString(),
  updated_at: new Date(task.updatedAtMs).toISOString(),
  iteration: task.iteration,
  held: task.held,
  loop: task.loop,
  proof: task.proof,
});

/** A task with all fields: the documented ones first, then Ralph's own. It can be imported again. */
export function taskDocument(task: Task) {
  const { held, loop, proof, iteration, ...head } = summaryDocument(task);
  const { id, spec_id, title, ...rest } = head;
  const { description, metadata, completionSpec } = task;
  return {
    ...{ id, spec_id, title, description, ...rest },
    ...{ metadata, iteration, completion_spec: completionSpec, held, loop, proof },
  };
}

/** A spec with its content. */
export const specDocument = ({ id, title, content, createdAtMs }: Spec) => ({
  id,
  title,
  content,
  created_at: new Date(createdAtMs).toISOString(),
});

/** A spec in a list. */
export const specSummaryDocument = ({ createdAtMs, ...spec }: SpecSummary) => ({
  ...spec,
  created_at: new Date(createdAtMs).toISOString(),
});
