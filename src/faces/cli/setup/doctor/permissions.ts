import { kindOf } from "../../../../adapters/agents/agent.ts";
import { agentsOf } from "../../../../adapters/agents/chosen-agents.ts";
import { hasFlag, withoutFlags } from "../../../../adapters/agents/flags.ts";
import { ownPermissions } from "../../../../adapters/agents/own-permissions.ts";
import { lackingForWork, needsOf } from "../../../../adapters/agents/permissions.ts";
import { mergeSettings } from "../../../../adapters/settings/settings.ts";
import type { SettingsFiles } from "../../../../adapters/settings/settings-files.ts";
import { splitFlag } from "../../../../core/agent-spec.ts";
import { RalphError } from "../../../../core/errors.ts";
import { settingsProof } from "../../../../core/proof/from-settings.ts";
import { commandsOf } from "../../../../core/proof/methods/external.ts";
import type { AgentSettings } from "../../../../core/schema/agent.ts";
import type { Settings } from "../../../../core/schema/settings.ts";
import { detectProject } from "../project.ts";
import type { DoctorFinding } from "./finding.ts";

const name = "permissions";

/** Whether the agents of the settings may edit files and run the checks without asking. */
export async function permissionFindings(cwd: string, { layers }: SettingsFiles): Promise<DoctorFinding[]> {
  const settings = mergeSettings(...layers);
  try {
    const agents = agentsOf({ cwd }, settings);
    const checks = await checkCommands(cwd, settings);
    const fixed = await Promise.all(agents.map((agent) => lackingOf(agent, checks, cwd)));
    return fixed.flatMap((missing, place) => findingOf(agents, place, missing));
  } catch (error) {
    // Other findings report what is wrong with the settings.
    if (error instanceof RalphError) return [];
    throw error;
  }
}

/** Undefined for an agent that is not known; null if it has no flags for this. */
async function lackingOf({ command, flags = [] }: AgentSettings, checks: readonly string[], cwd: string) {
  const kind = await kindOf(command);
  if (!kind) return undefined;
  const given = [...ownPermissions(kind.name, cwd), ...flags.flatMap(splitFlag)];
  const entries = lackingForWork(kind.permissions, given, needsOf(checks));
  return { entries, everything: kind.permissions.everything, modes: kind.permissions.modes };
}

type Lacking = Awaited<ReturnType<typeof lackingOf>>;

function findingOf(agents: readonly AgentSettings[], place: number, missing: Lacking): DoctorFinding[] {
  const agent = agents[place];
  if (!agent || !missing) return [];
  const { entries, everything, modes } = missing;
  if (entries?.length === 0) {
    return [{ name, is: "ok", says: `${agent.command} may edit files and run the checks without asking` }];
  }
  const added = entries ?? everything.flags;
  const own = agent.flags ?? [];
  const split = own.flatMap(splitFlag);
  const replaces = hasFlag(split, modes) && hasFlag(added.flatMap(splitFlag), modes);
  const kept = replaces ? withoutFlags(split, modes, () => false) : own;
  const flags = [...kept, ...added];
  const whole = agents.map((one, i) => (i === place ? { ...one, flags } : one));
  const json = JSON.stringify(whole.length === 1 ? { agent: whole[0] } : { agents: whole });
  const means = entries === null ? ` (${everything.means})` : "";
  return [
    {
      name,
      is: "warning",
      says: `in a loop ${agent.command} gets no answers, and it lacks ${added.join(", ")}${means}`,
      hint: `in .ralph/settings.json: ${json}`,
    },
  ];
}

/** The commands of the settings, or those that `init` would set. */
async function checkCommands(cwd: string, settings: Settings): Promise<string[]> {
  const { stages } = await settingsProof(settings);
  const set = [...(settings.guardrails ?? []), ...commandsOf(stages)].map(({ command }) => command);
  if (set.length > 0) return set;
  const { guardrails, verify } = await detectProject(cwd);
  return [...guardrails, ...verify].map(({ command }) => command);
}
