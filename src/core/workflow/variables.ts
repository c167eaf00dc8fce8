/** What the agent said in the iteration before. */
export const PREVIOUS_OUTPUT = "LOOP_PREV_OUTPUT";

/** The variables of prompts, besides the outputs of parts. */
export const VARIABLES = [
  "USER_MESSAGE",
  "ARGUMENTS",
  "WORKFLOW_ID",
  "ARTIFACTS_DIR",
  "BASE_BRANCH",
  "CONTEXT",
  PREVIOUS_OUTPUT,
  "ITERATION",
  "MAX_ITERATIONS",
] as const;

const NAMES = /\$(?:[A-Za-z][\w-]*\.output|[A-Z][A-Z_]*)\b/g;

/**
 * Fills in `$NAMES` and `$part.output` in one pass: values are not expanded again. Unknown names stay unchanged.
 */
export const expandVariables = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(NAMES, (name: string) => {
    const known = (key: string) => (Object.hasOwn(values, key) ? values[key] : undefined);
    const [word = ""] = name.slice(1).split(".");
    // If no part has that name, `$ARGUMENTS.output` is the variable followed by text.
    return known(name.slice(1)) ?? name.replace(`$${word}`, (itself) => known(word) ?? itself);
  });
