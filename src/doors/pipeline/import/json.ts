import type { Fault } from "../../../core/schema/faults.ts";
import { locate } from "../../../core/schema/json-places.ts";
import { syntaxComplaint } from "../../../core/schema/json-syntax.ts";
import { importRefused, MOST_PLACED } from "./refusal.ts";

/** Parses a JSON text. Throws a RalphError with the position of a syntax error. */
export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw importRefused(path, [syntaxComplaint(text) ?? { line: 1, column: 1, text: String(cause) }]);
  }
}

/** An error that lists schema faults with their positions. */
export const faulty = (text: string, path: string, faults: readonly Fault[]): Error =>
  importRefused(path, locate(text, faults.slice(0, MOST_PLACED)), { all: faults.length });
