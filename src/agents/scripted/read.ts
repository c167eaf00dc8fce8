import { readFile } from "node:fs/promises";
import { type Document, LineCounter, parseDocument } from "yaml";
import type * as z from "zod";
import { RalphError } from "../../core/errors.ts";
import { type Scenario, scenarioSchema } from "../../core/schema/scenario.ts";
import { type Position, positionOf } from "./position.ts";

type Issue = z.core.$ZodIssue;
type Complaint = Position & { text: string };

// More would scroll the first one, which often causes the others, off the screen.
const MOST_COMPLAINTS = 5;
const HINT = "docs/scripted-agent.md lists the steps and shows whole scenarios.";

/** Reads a scenario file. Throws a RalphError that names what is wrong with it, and where. */
export async function readScenario(file: string): Promise<Scenario> {
  let source: string;
  try {
    source = await readFile(file, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RalphError("scenario-unreadable", `${file}: cannot read the scenario: ${why}`, {
      hint: "The path is taken from the agent's working directory.",
      cause,
    });
  }
  return parseScenario(source, file);
}

/** Parses the text of a scenario; `file` is the name that the messages use. */
export function parseScenario(source: string, file: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const flaws = [...document.errors, ...document.warnings];
  if (flaws.length > 0) {
    throw invalid(
      file,
      flaws.map(({ pos, message }) => ({ ...linePosition(lines, pos[0]), text: message })),
    );
  }
  const parsed = scenarioSchema.safeParse(plain(document, file));
  if (parsed.success) return parsed.data;
  throw invalid(
    file,
    parsed.error.issues.map((issue) => complain(issue, document, lines)),
  );
}

function plain(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    // Aliases that unfold without end, or that name no anchor.
    const text = cause instanceof Error ? cause.message : String(cause);
    throw invalid(file, [{ line: 1, column: 1, text }]);
  }
}

function complain(reported: Issue, document: Document, lines: LineCounter): Complaint {
  const issue = mostSpecific(reported);
  const unknownKey = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknownKey];
  const position = positionOf(document, lines, path, unknownKey.length > 0 ? "key" : "value");
  return { ...position, text: path.length > 0 ? `${keyName(path)}: ${issue.message}` : issue.message };
}

/** Of a value that fits no form of a union: the complaint of the form that it came closest to, if it came close to any. */
function mostSpecific(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const tried = issue.errors.flat();
  // A misspelt key is named before the key that is missing because of it.
  const inner = tried.find(({ code }) => code === "unrecognized_keys") ?? tried.find(({ path }) => path.length > 0);
  return inner === undefined ? issue : mostSpecific({ ...inner, path: [...issue.path, ...inner.path] });
}

function keyName(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  return parts.join("").replace(/^\./, "");
}

function linePosition(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function invalid(file: string, complaints: Complaint[]): RalphError {
  const ordered = complaints.sort((a, b) => a.line - b.line || a.column - b.column);
  const shown = ordered.slice(0, MOST_COMPLAINTS).map(({ line, column, text }) => `${file}:${line}:${column}: ${text}`);
  const hidden = ordered.length - shown.length;
  if (hidden > 0) shown.push(`${file}: and ${hidden} more`);
  return new RalphError("scenario-invalid", shown.join("\n"), { hint: HINT });
}
