import { readFile } from "node:fs/promises";
import { type Document, LineCounter, parseDocument } from "yaml";
import { type Complaint, type Position, tellComplaints } from "../../../core/complaints.ts";
import { messageOf, RalphError } from "../../../core/errors.ts";
import { faultsOf } from "../../../core/schema/faults.ts";
import { type Scenario, scenarioSchema } from "../../../core/schema/scenario.ts";
import { positionOf } from "../../io/yaml-places.ts";

const HINT = "docs/scripted-agent.md lists the steps and shows complete scenarios.";

/** Reads a scenario file. Throws a RalphError that lists errors with their positions. */
export async function readScenario(file: string): Promise<Scenario> {
  let source: string;
  try {
    source = await readFile(file, "utf8");
  } catch (cause) {
    const why = messageOf(cause);
    throw new RalphError("scenario-unreadable", `${file}: cannot read the scenario: ${why}`, {
      hint: "The path is relative to the agent's working directory.",
      cause,
    });
  }
  return parseScenario(source, file);
}

/** Parses the text of a scenario; `file` is its name in messages. */
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
    faultsOf(parsed.error).map(({ path, at, text }) => ({ ...positionOf(document, lines, path, at), text })),
  );
}

function plain(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    // Aliases that expand endlessly or have no anchor.
    const text = messageOf(cause);
    throw invalid(file, [{ line: 1, column: 1, text }]);
  }
}

function linePosition(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

const invalid = (file: string, complaints: readonly Complaint[]): RalphError =>
  new RalphError("scenario-invalid", tellComplaints(file, complaints), { hint: HINT });
