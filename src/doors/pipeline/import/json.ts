import type { Fault } from "../../../core/schema/faults.ts";
import { locate } from "../../../core/schema/json-places.ts";
import { syntaxComplaint } from "../../../core/schema/json-syntax.ts";
import { importRefused, MOST_PLACED } from "./refusal.ts";

/** What a JSON text holds. Throws a coded error that names the place where it breaks. */
export function parseJsonText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw importRefused(path, [syntaxComplaint(text) ?? { line: 1, column: 1, text: String(cause) }]);
  }
}

/** An error that tells what a schema found wrong, each at its place. */
export const faulty = (text: string, path: string, faults: readonly Fault[]): Error =>
  importRefused(path, locate(text, faults.slice(0, MOST_PLACED)), { all: faults.length });
