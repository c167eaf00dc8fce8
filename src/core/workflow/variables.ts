/** The names that are filled in, besides the outputs of parts. */
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

const NAMES = /\$(?:[A-Za-z][\w-]*\.output|[A-Z][A-Z_]*)\b/g;

/**
 * Fills in `$NAMES`, and `$part.output`, in one pass: values are not expanded again. A name that is not
 * among the values is left unchanged.
 */
export const expandVariables = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(NAMES, (name: string) => {
    const known = (key: string) => (Object.hasOwn(values, key) ? values[key] : undefined);
    const [word = ""] = name.slice(1).split(".");
    // Where no part is called so, `$ARGUMENTS.output` is the variable with more text behind it.
    return known(name.slice(1)) ?? name.replace(`$${word}`, (itself) => known(word) ?? itself);
  });
