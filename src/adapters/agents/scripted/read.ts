import { readFile } from "node:fs/promises";
import { type Complaint, tellComplaints } from "../../../core/complaints.ts";
import { messageOf, RalphError } from "../../../core/errors.ts";
import { faultsOf } from "../../../core/schema/faults.ts";
import { type Scenario, scenarioSchema } from "../../../core/schema/scenario.ts";
import { placedYaml } from "../../io/yaml-document.ts";

const HINT = "docs/scripted-agent.md lists the steps and shows complete scenarios.";

/** Reads a scenario file. Throws a RalphError that lists errors with their positions. */
export async function readScenario(file: string): Promise<Scenario> {
  let source: string;
  try {
    source = await readFile(file, "utf8");
  } catch (cause) {
    throw new RalphError("scenario-unreadable", `${file}: cannot read the scenario: ${messageOf(cause)}`, {
      hint: "The path is relative to the agent's working directory.",
      cause,
    });
  }
  return parseScenario(source, file);
}

/** Parses the text of a scenario; `file` is its name in messages. */
export function parseScenario(source: string, file: string): Scenario {
  const yaml = placedYaml(source);
  if (yaml.flaws) throw invalid(file, yaml.flaws);
  const parsed = scenarioSchema.safeParse(yaml.value);
  if (parsed.success) return parsed.data;
  throw invalid(
    file,
    faultsOf(parsed.error).map(({ path, at, text }) => ({ ...yaml.places(path, at), text })),
  );
}

const invalid = (file: string, complaints: readonly Complaint[]): RalphError =>
  new RalphError("scenario-invalid", tellComplaints(file, complaints), { hint: HINT });
