import { completionCriteria, taskCompletionSpec } from "./criteria.ts";
import { documentSpelling } from "./spelling.ts";

/** Reads what done means for a task, spelt in either way. */
export const readTaskCompletion = (value: unknown) => taskCompletionSpec.safeParse(documentSpelling(value));

/** Reads what done means for one agent's part of a task, spelt in either way. */
export const readCriteria = (value: unknown) => completionCriteria.safeParse(documentSpelling(value));
