import { basename } from "node:path";
import type { AgentSpec } from "../../core/agent-spec.ts";
import { RalphError } from "../../core/errors.ts";
import type { ToolRules } from "../../core/workflow/workflow.ts";
import { kindOf, SCRIPTED } from "./agent.ts";
import { isPlaceholder } from "./command.ts";
import { type Option, spelled, withoutFlags } from "./flags.ts";

/** Sets an agent's model with its model flag and replaces a model in its own flags. */
export async function withModel(agent: AgentSpec, model: string, key: string): Promise<AgentSpec> {
  const names = (await kindOf(agent.command))?.model?.names;
  if (!names) {
    throw new RalphError("model-unknown", `${key}: ralph does not know the model flag of ${basename(agent.command)}`, {
      hint: `omit it and set the model in the agent's flags: {"agents": [{"command": "${agent.command}", "flags": ["…"]}]}`,
    });
  }
  return withOptions(agent, [{ names, value: model }]);
}

/** Restricts an agent to these tools. Throws for an agent without such a restriction: no rule is ignored silently. */
export async function withTools(agent: AgentSpec, { allowed, denied }: ToolRules, where: string): Promise<AgentSpec> {
  // A scripted agent only does what its scenario says.
  if ((allowed === null && denied.length === 0) || agent.command === SCRIPTED) return agent;
  const key = `${where}: ${allowed === null ? "denied_tools" : "allowed_tools"}`;
  const tools = (await kindOf(agent.command))?.tools;
  if (!tools) {
    throw new RalphError("tools-unknown", `${key}: ${basename(agent.command)} has no way to restrict its tools`, {
      hint: "omit it, or choose an agent that has one: provider: claude",
    });
  }
  const rule = allowed?.find((name) => !PLAIN_NAME.test(name));
  if (rule !== undefined) {
    throw new RalphError("tools-unknown", `${key}: ${JSON.stringify(rule)} is not the name of a tool`, {
      hint: 'list whole tools, such as Read or Bash; rules such as "Bash(git *)" are possible in denied_tools',
    });
  }
  const { flags, ...permitted } = withOptions(agent, allowed === null ? [] : tools.allow(allowed));
  return { ...permitted, flags: [...flags, ...(denied.length === 0 ? [] : spelled(tools.deny(denied)))] };
}

const PLAIN_NAME = /^[\w-]+$/;

/** Replaces the same options in the agent's own flags. */
function withOptions(agent: AgentSpec, options: readonly Option[]): AgentSpec {
  const dropped = options.flatMap(({ names }) => names);
  return { ...agent, flags: [...withoutFlags(agent.flags, dropped, isPlaceholder), ...options.flatMap(spelled)] };
}
