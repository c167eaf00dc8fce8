import { resolve } from "node:path";
import { adapterFor } from "../../../adapters/agents/agent.ts";
import { withModel, withTools } from "../../../adapters/agents/agent-flags.ts";
import { agentsOf } from "../../../adapters/agents/chosen-agents.ts";
import { agentSpec } from "../../../core/agent-spec.ts";
import { RalphError } from "../../../core/errors.ts";
import type { AgentSpec } from "../../../core/loop/spec.ts";
import type { RunStarted } from "../../../core/workflow/events.ts";
import type { LoopPart, StepPart } from "../../../core/workflow/workflow.ts";
import { scenarioFor } from "../rehearsal/scenario.ts";

type Choice = Pick<RunStarted, "workflow" | "cwd" | "agent" | "settings">;

/** The agents of a part: the requested one, else the part's own, the workflow's, or that of the settings. */
export async function partAgents(choice: Choice, part: StepPart | LoopPart): Promise<AgentSpec[]> {
  const { workflow, cwd, agent, settings = {} } = choice;
  const where = `${workflow.file}: ${part.kind} "${part.name}"`;
  const named = agent?.command ?? part.provider ?? workflow.provider;
  const scenario = agent?.scenario ? scenarioFor(resolve(cwd, agent.scenario), part.name) : null;
  const request = { cwd, flags: {}, ...(named === null ? {} : { agent: [named] }) };
  const chosen = agentsOf({ ...request, ...(scenario === null ? {} : { scenario }) }, settings).map(agentSpec);
  const model = agent === null ? modelOf(choice, part) : null;
  const modelled = model === null ? chosen : [await withModel(onlyOne(chosen, where), model, `${where}: model`)];
  return Promise.all(modelled.map((one) => withTools(one, part.tools, where)));
}

/** A model belongs to its provider: the workflow's is none for a part that has a provider of its own. */
const modelOf = ({ workflow }: Choice, part: StepPart | LoopPart): string | null =>
  part.model ?? (part.provider === null || part.provider === workflow.provider ? workflow.model : null);

function onlyOne(agents: readonly AgentSpec[], where: string): AgentSpec {
  const [only, another] = agents;
  if (only && !another) return only;
  throw new RalphError("model-unclear", `${where}: model is for one agent, and the settings name several`, {
    hint: `say which one it is for, such as provider: ${only?.command ?? "claude"}`,
  });
}

/** Whether all of them can continue a session: those that print plain text do not report theirs. */
export async function haveSessions(agents: readonly AgentSpec[]): Promise<boolean> {
  const adapters = await Promise.all(agents.map(adapterFor));
  return adapters.every(({ open }) => open !== undefined);
}
