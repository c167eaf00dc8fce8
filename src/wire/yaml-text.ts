import { type Complaint, tellComplaints } from "../core/complaints.ts";
import { RalphError } from "../core/errors.ts";
import { repeatsKeys } from "../core/repeated-keys.ts";
import type { Fault } from "../core/schema/faults.ts";

/** A YAML or JSON text of somebody's, whose name the messages use. */
export interface NamedText {
  file: string;
  source: string;
  /** What the file is to hold, for the hint of a mistake in it. */
  hint: string;
}

/** The value of a YAML or JSON text. Places are looked for only where there is a mistake: they take long to find. */
export async function readYaml(text: NamedText): Promise<unknown> {
  const json = jsonOf(text.source);
  if (json) return json.value;
  const { parse } = await import("yaml");
  try {
    return inParts(text.source, (part) => parse(part, { prettyErrors: false, logLevel: "error", maxAliasCount: 100 }));
  } catch {
    return (await documentOf(text)).value;
  }
}

/** The error that tells the faults of a text at their places. */
export async function faultyYaml(text: NamedText, faults: readonly Fault[]): Promise<RalphError> {
  const { places } = await documentOf(text);
  const complaints = faults.map(({ path, at, text }) => ({ ...places(path, at), text }));
  return yamlError(text, complaints);
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

/** The whole text with its places. Throws the error that tells every mistake of its form. */
async function documentOf(text: NamedText) {
  const { LineCounter, parseDocument } = await import("yaml");
  const { positionOf } = await import("../io/yaml-places.ts");
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  try {
    const document = parseDocument(text.source, { lineCounter: lines, prettyErrors: false });
    const flaws = [...document.errors, ...document.warnings];
    if (flaws.length > 0) {
      throw yamlError(
        text,
        flaws.map(({ pos, message }) => ({ ...place(pos[0]), text: inWords(message) })),
      );
    }
    const value: unknown = document.toJS();
    return { value, places: (path: Fault["path"], at: Fault["at"]) => positionOf(document, lines, path, at) };
  } catch (error) {
    if (error instanceof RalphError) throw error;
    // Aliases that unfold without end or name no anchor, and nesting that the parser cannot follow.
    throw yamlError(text, [
      { line: 1, column: 1, text: inWords(error instanceof Error ? error.message : String(error)) },
    ]);
  }
}

/** The parser's own words, but for a limit of ours. */
const inWords = (message: string): string => (/call stack/.test(message) ? "nested too deeply" : message);

const yamlError = ({ file, hint }: NamedText, complaints: readonly Complaint[]): RalphError =>
  new RalphError("yaml-invalid", tellComplaints(file, complaints), { hint });
