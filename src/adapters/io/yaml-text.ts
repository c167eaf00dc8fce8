import type { RalphError } from "../../core/errors.ts";
import { repeatsKeys } from "../../core/repeated-keys.ts";
import type { Fault } from "../../core/schema/faults.ts";
import type { NamedText } from "./yaml-document.ts";

/** Parses a YAML or JSON text. Positions are determined only for errors, because that is slow. */
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

/** An error that lists the faults of a text with their positions. */
export async function faultyYaml(text: NamedText, faults: readonly Fault[]): Promise<RalphError> {
  const { documentOf, yamlError } = await import("./yaml-document.ts");
  const { places } = documentOf(text);
  return yamlError(
    text,
    faults.map(({ path, at, text }) => ({ ...places(path, at), text })),
  );
}

/** Parses JSON with JSON.parse; null if it has an error to report. */
function jsonOf(source: string): { value: unknown } | null {
  if (!/^\s*[[{]/.test(source)) return null;
  try {
    const value: unknown = JSON.parse(source);
    return repeatsKeys(source, value) ? null : { value };
  } catch {
    return null;
  }
}

/** The number of items parsed at once: for a long list this halves the time and needs a fraction of the memory. */
const ITEMS = 50;

/**
 * Parses a list at the left margin in parts. Only its items can start there. Anything that spans items (an anchor, a
 * quoted text that continues at the margin) makes a part fail, and the whole text is parsed at once instead.
 */
function inParts(source: string, parse: (part: string) => unknown): unknown {
  const items = /^(?:#.*\n|\s*\n)*- /.test(source) ? source.split(/^(?=- )/m) : [];
  if (items.length <= ITEMS) return parse(source);
  const values: unknown[] = [];
  for (let at = 0; at < items.length; at += ITEMS) {
    const part = parse(items.slice(at, at + ITEMS).join(""));
    // A part that has only comments is not a list.
    if (!Array.isArray(part)) throw new TypeError("not a list");
    for (const value of part) values.push(value);
  }
  return values;
}
