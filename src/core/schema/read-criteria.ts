import { RalphError } from "../errors.ts";
import { type Completion, completion, completionCriteria, taskCompletionSpec } from "./criteria.ts";
import { faultsOf } from "./faults.ts";
import { documentSpelling } from "./spelling.ts";

/** Reads what done means for a task, spelt in either way. */
export const readTaskCompletion = (value: unknown) => taskCompletionSpec.safeParse(documentSpelling(value));

/** Reads what done means for one agent's part of a task, spelt in either way. */
export const readCriteria = (value: unknown) => completionCriteria.safeParse(documentSpelling(value));

/** Criteria that came together from several files: each may fit by itself, and they not each other. */
export function fittingCompletion(merged: Completion): Completion {
  const { data, error } = completion.safeParse(merged);
  if (data) return data;
  const faults = faultsOf(error).map(({ text }) => `completion.${text}`);
  throw new RalphError("settings-invalid", faults.join("\n"), {
    hint: "the settings files do not fit each other here: name verification_method in the one that is to win",
  });
}
