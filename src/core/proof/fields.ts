/** Where a text names a field of the task or a parameter of a template, as in `{{title}}`. */
export const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}/g;

/** Names that are allowed in `{{…}}` for every task. */
export const FIELDS: ReadonlySet<string> = new Set([
  "acceptance_criteria",
  "outcome",
  "title",
  "description",
  "task_id",
  "spec_id",
]);

/** The names in double braces in a text. Braces with more than a name, as in `docker ps --format`, are plain text. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? []);
