import * as z from "zod";
import { closest } from "../edit-distance.ts";

/**
 * An object without unknown keys; a slip of the fingers is told with the key that was meant, and a key that belongs
 * elsewhere in words of its own.
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

/** One line a key, in the order of the keys: each is told at its own place. What could be meant is listed once. */
function unknownKeys(
  keys: readonly string[],
  known: readonly string[],
  elsewhere: (key: string) => string | null,
): string {
  let rest = ` (expected ${known.length > 1 ? "one of " : ""}${known.join(", ")})`;
  return keys
    .map((key) => {
      const own = elsewhere(key);
      if (own !== null) return own;
      const near = closest(key, known);
      const instead = near === null ? rest : insteadOf(key, near);
      if (near === null) rest = "";
      return `unknown key ${JSON.stringify(key)}${instead}`;
    })
    .join("\n");
}

/** A key of the documents is told in the spelling it was tried in; one that differs by its spelling alone is there twice. */
function insteadOf(key: string, near: string): string {
  const other = camelCase(near);
  if (key === other) return `: it is ${JSON.stringify(near)} in another spelling, and both are given`;
  return `, did you mean "${/[A-Z]/.test(key) && !key.includes("_") ? other : near}"?`;
}

/** The other spelling of a key of the documents. */
export const camelCase = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The message of a value that is not what was expected, for zod's `error`. */
export function expected(what: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      input === undefined ? `missing, expected ${what}` : `expected ${what}, got ${describe(input)}`,
  };
}

const MOST_SHOWN = 40;

/** A wrong value as a message shows it. */
export function describe(input: unknown): string {
  if (input === null) return "nothing";
  if (Array.isArray(input)) return "a list";
  if (typeof input === "object") return "a map";
  if (typeof input !== "string") return `the ${typeof input} ${String(input)}`;
  // Quoted as JSON: a line break or an escape sequence in it stays one line of text.
  return JSON.stringify(input.length > MOST_SHOWN ? `${input.slice(0, MOST_SHOWN)}…` : input);
}
