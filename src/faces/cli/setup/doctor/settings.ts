import { checkAgent } from "../../../../adapters/agents/agent.ts";
import { agentsOf } from "../../../../adapters/agents/chosen-agents.ts";
import { settingValues } from "../../../../adapters/settings/origins.ts";
import { mergeSettings } from "../../../../adapters/settings/settings.ts";
import { readTaskSettings, type SettingsFiles } from "../../../../adapters/settings/settings-files.ts";
import { RalphError } from "../../../../core/errors.ts";
import { hideSecrets } from "../../../../core/secrets.ts";
import type { DoctorFinding } from "./finding.ts";

/** The finding about the settings of a folder; `files` is null if `ralph run` would refuse them. */
export async function readableSettings(cwd: string): Promise<{ finding: DoctorFinding; files: SettingsFiles | null }> {
  const name = "settings";
  try {
    const files = await readTaskSettings(cwd, undefined);
    const says = files.paths.join(", ") || "none: the defaults apply";
    return { finding: { name, is: "ok", says, values: settingValues(files.layers, files.paths) }, files };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { message, hint = "" } = error;
    return { finding: { name, is: "problem", says: hideSecrets(message), hint }, files: null };
  }
}

/** The agent that `ralph run` would use here without flags. A configured agent that is missing is a problem. */
export function choiceFinding(cwd: string, { layers }: SettingsFiles): DoctorFinding {
  const name = "agent";
  const settings = mergeSettings(...layers);
  const chosen = settings.agent !== undefined || settings.agents !== undefined;
  try {
    const agents = agentsOf({ cwd }, settings);
    for (const agent of agents) checkAgent(agent, cwd);
    const commands = agents.map(({ command }) => command).join(", then ");
    return { name, is: "ok", says: `ralph run uses ${commands}${chosen ? "" : ", the only known one on PATH"}` };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { code, message, hint = "" } = error;
    return { name, is: code === "agent-missing" ? "problem" : "warning", says: message, hint };
  }
}
