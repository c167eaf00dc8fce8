import { LineCounter, parse, parseDocument } from "yaml";
import { type Complaint, type Position, tellComplaints } from "../../core/complaints.ts";
import { messageOf, RalphError } from "../../core/errors.ts";
import type { Fault } from "../../core/schema/faults.ts";
import { positionOf } from "./yaml-places.ts";

/** A YAML or JSON text with its file name for messages. */
export interface NamedText {
  file: string;
  source: string;
  /** The hint of an error: what the file should contain. */
  hint: string;
}

export function parsePart(source: string): unknown {
  const document: unknown = parse(source, { prettyErrors: false, logLevel: "error" });
  return document;
}

/** A parsed text with positions, or all its syntax errors. */ type PlacedYaml =
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
    const message = messageOf(error);
    return { flaws: [{ line: 1, column: 1, text: inWords(message) }] };
  }
}

function place(lines: LineCounter, offset: number) {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/** The parser's message, except for a stack overflow. */
const inWords = (message: string): string => (/call stack/.test(message) ? "nested too deeply" : message);

export const yamlError = ({ file, hint }: NamedText, complaints: readonly Complaint[]): RalphError =>
  new RalphError("yaml-invalid", tellComplaints(file, complaints), { hint });
