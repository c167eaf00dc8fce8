import type { TaskSummary } from "../../core/task/store.ts";
import type { NewTask, Task, TaskMetadata } from "../../core/task/task.ts";

type AsIs = "id" | "title" | "priority" | "assignee" | "status" | "loop" | "iteration" | "proof";

/** Ralph writes these rows and the migrations keep their format, so their values are not checked. */
export interface SummaryRow extends Pick<TaskSummary, AsIs> {
  age: number;
  spec: string;
  dependencies: string;
  held: number;
  created_at_ms: number;
  updated_at_ms: number;
}

export interface TaskRow extends SummaryRow {
  description: string;
  metadata: string;
  completion_spec: string | null;
  failure: string | null;
  at_hand: number;
  /** The loop's; null if it does not exist yet. */
  place: string | null;
  max_iterations: number | null;
  started_at_ms: number | null;
  promise: string | null;
}

export type ProjectedRow = TaskRow & { seq: number };

export const summaryOfTask = (row: SummaryRow): TaskSummary => ({
  id: row.id,
  specId: row.spec,
  title: row.title,
  priority: row.priority,
  dependencies: JSON.parse(row.dependencies),
  assignee: row.assignee,
  status: row.status,
  held: row.held === 1,
  loop: row.loop,
  iteration: row.iteration,
  proof: row.proof,
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
});

export const taskOf = (row: TaskRow): Task => ({
  ...summaryOfTask(row),
  description: row.description,
  metadata: { ...JSON.parse(row.metadata), ...ofTheWork(row) },
  completionSpec: row.completion_spec === null ? null : JSON.parse(row.completion_spec),
});

/** Values from the journals, under the names of the task document. Looked up, so that they are never outdated. */
function ofTheWork(row: TaskRow): TaskMetadata {
  const failure = row.failure === null ? {} : { ralph_failure: JSON.parse(row.failure) };
  if (row.at_hand === 0 || row.started_at_ms === null) return failure;
  const ralph = {
    stage: row.place,
    iteration: row.iteration,
    max_iterations: row.max_iterations,
    started_at: new Date(row.started_at_ms).toISOString(),
    completion_promise: row.promise,
  };
  return { ...failure, ralph };
}

/** The columns that the user writes. */
export const columnsOfTask = (task: Omit<NewTask, "id" | "specId">) => ({
  title: task.title,
  description: task.description,
  priority: task.priority,
  dependencies: JSON.stringify([...new Set(task.dependencies)]),
  assignee: task.assignee,
  metadata: JSON.stringify(ofAPerson(task.metadata)),
  completion_spec: task.completionSpec === null ? null : JSON.stringify(task.completionSpec),
});

/** Drops the values that an export takes from the journals: after an import no journal would confirm them. */
function ofAPerson({ ralph: _, ralph_failure: __, ...rest }: TaskMetadata): TaskMetadata {
  return rest;
}
