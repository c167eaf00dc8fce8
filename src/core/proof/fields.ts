/** Where a text names a field of the task or a parameter of a template, as in `{{title}}`. */
export const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}/g;

/** Names that `{{…}}` may have wherever a task is. */
export const FIELDS: ReadonlySet<string> = new Set([
  "acceptance_criteria",
  "outcome",
  "title",
  "description",
  "task_id",
  "spec_id",
]);

/** What a text names in double braces. Braces with more in them, as in `docker ps --format`, are the text's own. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? []);
