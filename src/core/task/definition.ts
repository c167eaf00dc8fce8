import type { NewTask, Task, TaskMetadata } from "./task.ts";

/** The fields that decide a task and appear in its prompts; not its priority and assignee. */
export type TaskDefinition = Omit<NewTask, "id" | "priority" | "assignee">;

export const definitionOf = (task: Omit<NewTask, "id">): TaskDefinition => ({
  specId: task.specId,
  title: task.title,
  description: task.description,
  dependencies: task.dependencies,
  metadata: writtenPart(task.metadata),
  completionSpec: task.completionSpec,
});

/** The task with another definition. */
export const withDefinition = (task: Task, definition: TaskDefinition): Task => {
  const { ralph, ralph_failure } = task.metadata;
  const fromJournals = {
    ...(ralph_failure === undefined ? {} : { ralph_failure }),
    ...(ralph === undefined ? {} : { ralph }),
  };
  return { ...task, ...definition, metadata: { ...definition.metadata, ...fromJournals } };
};

const WORDS: Readonly<Record<keyof TaskDefinition, string>> = {
  specId: "spec",
  title: "title",
  description: "description",
  dependencies: "dependencies",
  metadata: "metadata",
  completionSpec: "criteria",
};

/** The differences between two definitions, in words; empty if they are equal. */
export const definitionDifferences = (one: TaskDefinition, other: TaskDefinition): string[] =>
  (Object.keys(WORDS) as (keyof TaskDefinition)[])
    .filter((key) => sorted(one[key]) !== sorted(other[key]))
    .map((key) => WORDS[key]);

/** A definition as text: equal definitions have equal texts. */
export const definitionText = (definition: TaskDefinition): string => sorted(definition);

/** The metadata without the fields that come from the journals and change with the work. */
function writtenPart({ ralph: _, ralph_failure: __, ...rest }: TaskMetadata): TaskMetadata {
  return rest;
}

/** JSON with sorted keys: a database returns keys in the order of writing, a file in any order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
