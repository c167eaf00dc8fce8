import type { RalphError } from "../../core/errors.ts";
import { repeatsKeys } from "../../core/repeated-keys.ts";
import type { Fault } from "../../core/schema/faults.ts";
import type { NamedText } from "./yaml-document.ts";

/** The value of a YAML or JSON text. Places are looked for only where there is a mistake: they take long to find. */
export async function readYaml(text: NamedText): Promise<unknown> {
  const json = jsonOf(text.source);
  if (json) return json.value;
  const { parsePart, documentOf } = await import("./yaml-document.ts");
  try {
    return inParts(text.source, parsePart);
  } catch {
    return documentOf(text).value;
  }
}

/** The error that tells the faults of a text at their places. */
export async function faultyYaml(text: NamedText, faults: readonly Fault[]): Promise<RalphError> {
  const { documentOf, yamlError } = await import("./yaml-document.ts");
  const { places } = documentOf(text);
  return yamlError(
    text,
    faults.map(({ path, at, text }) => ({ ...places(path, at), text })),
  );
}

/** JSON is read by what is made for it, unless something in it wants telling. */
function jsonOf(source: string): { value: unknown } | null {
  if (!/^\s*[[{]/.test(source)) return null;
  try {
    const value: unknown = JSON.parse(source);
    return repeatsKeys(source, value) ? null : { value };
  } catch {
    return null;
  }
}

/** How many items are read at once: the parser takes half the time and a fraction of the memory for a long list. */
const ITEMS = 50;

/**
 * A list at the left margin, read in parts. Nothing but its items can begin there, and what holds them together all the
 * same (an anchor, a quoted text that goes on there) makes a part fail, upon which the whole is read at once.
 */
function inParts(source: string, parse: (part: string) => unknown): unknown {
  const items = /^(?:#.*\n|\s*\n)*- /.test(source) ? source.split(/^(?=- )/m) : [];
  if (items.length <= ITEMS) return parse(source);
  const values: unknown[] = [];
  for (let at = 0; at < items.length; at += ITEMS) {
    const part = parse(items.slice(at, at + ITEMS).join(""));
    // Of the first part only comments may be left over.
    if (!Array.isArray(part)) throw new TypeError("not a list");
    for (const value of part) values.push(value);
  }
  return values;
}
