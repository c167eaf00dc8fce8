import { RalphError } from "../errors.ts";
import { type Completion, completion, completionCriteria, taskCompletionSpec } from "./criteria.ts";
import { faultsOf } from "./faults.ts";
import { documentSpelling } from "./spelling.ts";

/** Parses the completion of a task, in either spelling. */
export const readTaskCompletion = (value: unknown) => taskCompletionSpec.safeParse(documentSpelling(value));

/** Parses the completion criteria of one agent's part of a task, in either spelling. */
export const readCriteria = (value: unknown) => completionCriteria.safeParse(documentSpelling(value));

/** Validates criteria merged from several files, which may be valid only separately. */
export function fittingCompletion(merged: Completion): Completion {
  const { data, error } = completion.safeParse(merged);
  if (data) return data;
  const faults = faultsOf(error).map(({ text }) => `completion.${text}`);
  throw new RalphError("settings-invalid", faults.join("\n"), {
    hint: "the settings files contradict each other here: set verification_method in the file that should win",
  });
}
