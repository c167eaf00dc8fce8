import { type AgentSpec, agentSpec } from "../../core/agent-spec.ts";
import { RalphError } from "../../core/errors.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { isStage, type LoopRole } from "../../core/task/role.ts";
import { withModel } from "./agent-flags.ts";
import { agentsOf } from "./chosen-agents.ts";

/** The agents of one stage of tasks: those set for the stage, or those for everything. */
export async function stageAgents(cwd: string, place: LoopRole, settings: Settings): Promise<AgentSpec[]> {
  const named = namedFor(place, settings);
  const chosen = agentsOf({ cwd, ...(named.agent === undefined ? {} : { agent: [named.agent] }) }, settings);
  const agents = chosen.map(agentSpec);
  if (named.model === undefined) return agents;
  const [only, another] = agents;
  if (!only || another) {
    throw new RalphError("model-unclear", `${named.key}.model is for one agent, but the settings have several`, {
      hint: `specify which one: {"ralph": {"${place}": {"agent": "${only?.command ?? "claude"}", "model": "${named.model}"}}}`,
    });
  }
  return [await withModel(only, named.model, `${named.key}.model`)];
}

interface Named {
  agent?: string;
  model?: string;
  key: string;
}

/** The coder resolves conflicts, unless the settings say otherwise. */
function namedFor(place: LoopRole, { ralph = {} }: Settings): Named {
  if (isStage(place)) return { ...ralph[place], key: `ralph.${place}` };
  const own = ralph.conflict ?? {};
  if (own.agent !== undefined) return { ...own, key: "ralph.conflict" };
  const coder = namedFor("coder", { ralph });
  return own.model === undefined ? coder : { ...coder, model: own.model, key: "ralph.conflict" };
}
