import { cut } from "../excerpt.ts";
import type { Limits } from "../loop/spec.ts";

/** On Linux a variable may have at most 128 KiB; a character takes at most three bytes. */
const VALUE_CHARS = 40_000;
/** The limit for all of them together: the environment and the command line need space too. */
const ALL_CHARS = 200_000;

const OUTPUT = ".output";

/** The name of the variable with the output of a part. */
export const outputVariable = (part: string): string =>
  `NODE_OUTPUT_${part
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")}`;

/** The values of a prompt as environment variables for commands: never part of the command line, and never too long. */
export function variableEnvironment(values: Readonly<Record<string, string>>): Record<string, string> {
  let room = ALL_CHARS;
  const variables = Object.entries(values).map(([key, value]): [string, string] => {
    const name = key.endsWith(OUTPUT) ? outputVariable(key.slice(0, -OUTPUT.length)) : key;
    const chars = Math.min(VALUE_CHARS, room);
    // No environment variable can contain a NUL.
    const text = chars > 0 ? cut(value.replaceAll("\0", "\uFFFD"), chars) : "";
    room -= text.length;
    return [name, text];
  });
  return Object.fromEntries(variables);
}

/** The variables that a command line names. */
export const referencedVariables = (
  command: string,
  variables: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => new RegExp(`\\$\\{?${name}\\b`).test(command)));

/** The iteration as variables for prompts and commands; 0 is before any work. */
export const iterationValues = (limits: Pick<Limits, "maxIterations">, n: number): Record<string, string> => ({
  ITERATION: String(n),
  MAX_ITERATIONS: String(limits.maxIterations ?? ""),
});
