/** The names that prompts can use, and commands find in their environment. */
export const VARIABLES = [
  "USER_MESSAGE",
  "ARGUMENTS",
  "WORKFLOW_ID",
  "ARTIFACTS_DIR",
  "BASE_BRANCH",
  "CONTEXT",
  "LOOP_PREV_OUTPUT",
  "ITERATION",
  "MAX_ITERATIONS",
] as const;
export type Variable = (typeof VARIABLES)[number];

const NAMES = /\$(?:([A-Za-z][\w-]*\.output)\b|([A-Z][A-Z_]*)\b)/g;

/**
 * Fills in `$NAMES`, and `$part.output`, in one pass: what a value holds is never looked at again. A name that is not
 * among the values stays as it is.
 */
export const fillIn = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(NAMES, (name, output: string | undefined, variable: string | undefined) => {
    const key = output ?? variable ?? "";
    return Object.hasOwn(values, key) ? (values[key] ?? "") : name;
  });
