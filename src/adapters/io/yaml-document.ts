import { LineCounter, parse, parseDocument } from "yaml";
import { type Complaint, type Position, tellComplaints } from "../../core/complaints.ts";
import { messageOf, RalphError } from "../../core/errors.ts";
import type { Fault } from "../../core/schema/faults.ts";
import { positionOf } from "./yaml-places.ts";

/** A YAML or JSON text of somebody's, whose name the messages use. */
export interface NamedText {
  file: string;
  source: string;
  /** What the file is to hold, for the hint of a mistake in it. */
  hint: string;
}

/** The value of a text that may be a part of a longer one; throws for every flaw. */
export function parsePart(source: string): unknown {
  const document: unknown = parse(source, { prettyErrors: false, logLevel: "error" });
  return document;
}

/** A text that was read, with the places in it; or every mistake of its form. */
type PlacedYaml =
  | { value: unknown; places: (path: Fault["path"], at: Fault["at"]) => Position; flaws: null }
  | { flaws: Complaint[] };

/** The whole text with its places. Throws the error that tells every mistake of its form. */
export function documentOf(text: NamedText) {
  const read = placedYaml(text.source);
  if (read.flaws) throw yamlError(text, read.flaws);
  return read;
}

/** Reads a text; what is wrong with its form is a value. */
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
    // Aliases that unfold without end or name no anchor, and nesting that the parser cannot follow.
    const message = messageOf(error);
    return { flaws: [{ line: 1, column: 1, text: inWords(message) }] };
  }
}

function place(lines: LineCounter, offset: number) {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/** The parser's own words, but for a limit of ours. */
const inWords = (message: string): string => (/call stack/.test(message) ? "nested too deeply" : message);

/** The error that tells complaints about a text. */
export const yamlError = ({ file, hint }: NamedText, complaints: readonly Complaint[]): RalphError =>
  new RalphError("yaml-invalid", tellComplaints(file, complaints), { hint });
