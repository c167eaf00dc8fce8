import type { NewTask, Task, TaskMetadata } from "./task.ts";

/** What decides a task and what its prompts say, without when it is its turn (priority) and whose it is (assignee). */
export type TaskDefinition = Omit<NewTask, "id" | "priority" | "assignee">;

export const definitionOf = (task: Omit<NewTask, "id">): TaskDefinition => ({
  specId: task.specId,
  title: task.title,
  description: task.description,
  dependencies: task.dependencies,
  metadata: writtenPart(task.metadata),
  completionSpec: task.completionSpec,
});

/** The same with another definition. */
export const withDefinition = (task: Task, definition: TaskDefinition): Task => {
  const { ralph, ralph_failure } = task.metadata;
  const ofTheWork = {
    ...(ralph_failure === undefined ? {} : { ralph_failure }),
    ...(ralph === undefined ? {} : { ralph }),
  };
  return { ...task, ...definition, metadata: { ...definition.metadata, ...ofTheWork } };
};

const WORDS: Readonly<Record<keyof TaskDefinition, string>> = {
  specId: "spec",
  title: "title",
  description: "description",
  dependencies: "dependencies",
  metadata: "metadata",
  completionSpec: "criteria",
};

/** What differs between two definitions, in words; empty where they are the same. */
export const definitionDifferences = (one: TaskDefinition, other: TaskDefinition): string[] =>
  (Object.keys(WORDS) as (keyof TaskDefinition)[])
    .filter((key) => sorted(one[key]) !== sorted(other[key]))
    .map((key) => WORDS[key]);

/** A definition as a text that is the same for the same definition. */
export const definitionText = (definition: TaskDefinition): string => sorted(definition);

/** What the journals know is added to the written task, and changes with the work. */
function writtenPart({ ralph: _, ralph_failure: __, ...rest }: TaskMetadata): TaskMetadata {
  return rest;
}

/** JSON with sorted keys: a database returns keys as they were written, a file in any order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
