import { agentFindings } from "./doctor/agents.ts";
import type { DoctorFinding } from "./doctor/finding.ts";
import { hookFindings } from "./doctor/hooks.ts";
import { ignoreFinding } from "./doctor/ignored.ts";
import { machineFindings } from "./doctor/machine.ts";
import { choiceFinding, readableSettings } from "./doctor/settings.ts";
import { stateFindings } from "./doctor/state.ts";
import { workflowFindings } from "./doctor/workflows.ts";

export type { DoctorFinding } from "./doctor/finding.ts";

/** Looks at everything a loop stands on. Leaves everything as it was. */
export async function examine(cwd: string): Promise<DoctorFinding[]> {
  const { finding, files } = await readableSettings(cwd);
  const groups = await Promise.all([
    machineFindings(cwd),
    stateFindings(cwd),
    [finding],
    files ? [choiceFinding(cwd, files)] : [],
    agentFindings(cwd),
    ignoreFinding(cwd),
    workflowFindings(cwd),
    hookFindings(cwd),
  ]);
  return groups.flat();
}
