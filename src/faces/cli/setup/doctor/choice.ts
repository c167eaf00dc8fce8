import { checkAgent } from "../../../../adapters/agents/agent.ts";
import { agentsOf } from "../../../../adapters/agents/chosen-agents.ts";
import { mergeSettings } from "../../../../adapters/settings/settings.ts";
import type { SettingsFiles } from "../../../../adapters/settings/settings-files.ts";
import { RalphError } from "../../../../core/errors.ts";
import type { DoctorFinding } from "./finding.ts";

/** The agent that `ralph run` would take here, without flags. One that was chosen and is not there is a problem. */
export function choiceFinding(cwd: string, { layers }: SettingsFiles): DoctorFinding {
  const name = "agent";
  const settings = mergeSettings(...layers);
  const chosen = settings.agent !== undefined || settings.agents !== undefined;
  try {
    const agents = agentsOf({ cwd }, settings);
    for (const agent of agents) checkAgent(agent, cwd);
    const commands = agents.map(({ command }) => command).join(", then ");
    return { name, is: "ok", says: `ralph run takes ${commands}${chosen ? "" : ", the only known one on PATH"}` };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { code, message, hint = "" } = error;
    return { name, is: code === "agent-missing" ? "problem" : "warning", says: message, hint };
  }
}
