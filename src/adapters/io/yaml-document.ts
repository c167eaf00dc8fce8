import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parse,
  parseDocument,
} from "yaml";
import { type Complaint, type Position, tellComplaints } from "../../core/complaints.ts";
import { messageOf, RalphError } from "../../core/errors.ts";
import type { Fault } from "../../core/schema/faults.ts";
import { camelCase } from "../../core/schema/messages.ts";

/** A YAML or JSON text with its file name for messages. */
export interface NamedText {
  file: string;
  source: string;
  /** The hint of an error: what the file should contain. */
  hint: string;
}

/** Throws for every error. */
export const parsePart = (source: string): unknown => parse(source, { prettyErrors: false, logLevel: "error" });

type PlacedYaml =
  | { value: unknown; places: (path: Fault["path"], at: Fault["at"]) => Position; flaws: null }
  | { flaws: Complaint[] };

/** Parses a text with positions. Throws an error that lists all syntax errors. */
export function documentOf(text: NamedText) {
  const read = placedYaml(text.source);
  if (read.flaws) throw yamlError(text, read.flaws);
  return read;
}

/** Parses a text and returns syntax errors as values. */
export function placedYaml(source: string): PlacedYaml {
  const lines = new LineCounter();
  try {
    const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
    const flaws = [...document.errors, ...document.warnings];
    if (flaws.length > 0) {
      return { flaws: flaws.map(({ pos, message }) => ({ ...place(lines, pos[0]), text: inWords(message) })) };
    }
    const value: unknown = document.toJS();
    return { value, places: (path, at) => positionOf(document, lines, path, at), flaws: null };
  } catch (error) {
    // Aliases without an anchor or that expand endlessly, and nesting that is too deep for the parser.
    return { flaws: [{ line: 1, column: 1, text: inWords(messageOf(error)) }] };
  }
}

function place(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/** The parser's message, except for a stack overflow. */
const inWords = (message: string): string => (/call stack/.test(message) ? "nested too deeply" : message);

export const yamlError = ({ file, hint }: NamedText, complaints: readonly Complaint[]): RalphError =>
  new RalphError("yaml-invalid", tellComplaints(file, complaints), { hint });

/** A path's position, counted from 1; that of the innermost parent for a missing key. `at: "key"`: the key's own. */
function positionOf(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
  at: "key" | "value" = "value",
): Position {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, part] of path.entries()) {
    const pair = pairAt(isAlias(node) ? node.resolve(document) : node, part);
    if (pair === null) break;
    const wantsKey = at === "key" && depth === path.length - 1;
    // An empty value has no position.
    const empty = isScalar(pair.value) && pair.value.source === "";
    offset = (wantsKey || empty ? startOf(pair.key) : startOf(pair.value)) ?? offset;
    node = pair.value;
  }
  return place(lines, offset);
}

function pairAt(node: unknown, part: PropertyKey): Pick<Pair, "key" | "value"> | null {
  if (isSeq(node)) {
    const value = node.items[Number(part)];
    return value === undefined ? null : { key: value, value };
  }
  if (!isMap(node)) return null;
  const named = (name: string) =>
    node.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === name);
  // Keys may be spelled in snake_case or camelCase.
  return named(String(part)) ?? named(camelCase(String(part))) ?? null;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
