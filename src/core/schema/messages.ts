import * as z from "zod";
import { closest } from "../edit-distance.ts";
import { clipped, MOST_FAULTS } from "./faults.ts";

/**
 * An object without unknown keys. A misspelled key is reported with a suggestion, a key that belongs elsewhere with the
 * message of `elsewhere`.
 */
export function strict<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  what: string,
  elsewhere: (key: string) => string | null = () => null,
) {
  const known = Object.keys(shape);
  const other = expected(what).error;
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? unknownKeys(issue.keys, known, elsewhere) : other(issue)),
  });
}

/** Longer than any known key: not a misspelling of one. */
const LONGEST_TYPO = 60;

/** One line per key, in order, because each is reported at its own position. The known keys are listed once. */
function unknownKeys(
  keys: readonly string[],
  known: readonly string[],
  elsewhere: (key: string) => string | null,
): string {
  let rest = ` (expected ${known.length > 1 ? "one of " : ""}${known.join(", ")})`;
  return keys
    .slice(0, MOST_FAULTS)
    .map((key) => {
      const own = key.length > LONGEST_TYPO ? null : elsewhere(key);
      if (own !== null) return own;
      const near = key.length > LONGEST_TYPO ? null : closest(key, known);
      const instead = near === null ? rest : insteadOf(key, near);
      if (near === null) rest = "";
      return `unknown key ${JSON.stringify(clipped(key))}${instead}`;
    })
    .join("\n");
}

/** Suggests a key in the spelling that was used. A key that differs only in spelling was given twice. */
function insteadOf(key: string, near: string): string {
  const other = camelCase(near);
  if (key === other) return `: the same as ${JSON.stringify(near)} in another spelling, and both are given`;
  return `, did you mean "${/[A-Z]/.test(key) && !key.includes("_") ? other : near}"?`;
}

/** The camelCase spelling of a snake_case key. */
export const camelCase = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The message for an unexpected value, as zod's `error`. */
export function expected(what: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      input === undefined ? `missing, expected ${what}` : `expected ${what}, got ${describe(input)}`,
  };
}

const MOST_SHOWN = 40;

/** A wrong value as shown in a message. */
export function describe(input: unknown): string {
  if (input === null) return "nothing";
  if (Array.isArray(input)) return "a list";
  if (typeof input === "object") return "a map";
  if (typeof input !== "string") return `the ${typeof input} ${String(input)}`;
  // Quoted as JSON: a line break or an escape sequence in it stays one line of text.
  return JSON.stringify(input.length > MOST_SHOWN ? `${input.slice(0, MOST_SHOWN)}…` : input);
}
