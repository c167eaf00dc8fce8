import { basename } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { AgentSpec } from "../../core/loop/spec.ts";
import type { ToolRules } from "../../core/workflow/workflow.ts";
import { kindOf, SCRIPTED } from "./agent.ts";
import { saysWhere } from "./command.ts";
import { type Option, spelled, without } from "./flags.ts";

/** An agent with a model, by the flag that it has for one; what its own flags say of a model gives way. */
export async function withModel(agent: AgentSpec, model: string, key: string): Promise<AgentSpec> {
  const names = (await kindOf(agent.command))?.model?.names;
  if (!names) {
    throw new RalphError("model-unknown", `${key}: ralph does not know how ${basename(agent.command)} takes a model`, {
      hint: `leave it out, and name the model in its flags: {"agents": [{"command": "${agent.command}", "flags": ["…"]}]}`,
    });
  }
  return withOptions(agent, [{ names, value: model }]);
}

/** An agent that may use these tools only. One that cannot be told is refused: nothing is left out in silence. */
export async function withTools(agent: AgentSpec, { allowed, denied }: ToolRules, where: string): Promise<AgentSpec> {
  // What a scripted agent does is written in its scenario.
  if ((allowed === null && denied.length === 0) || agent.command === SCRIPTED) return agent;
  const key = `${where}: ${allowed === null ? "denied_tools" : "allowed_tools"}`;
  const tools = (await kindOf(agent.command))?.tools;
  if (!tools) {
    throw new RalphError("tools-unknown", `${key}: ${basename(agent.command)} cannot be told which tools it may use`, {
      hint: "leave it out, or choose an agent that can: provider: claude",
    });
  }
  const rule = allowed?.find((name) => !PLAIN_NAME.test(name));
  if (rule !== undefined) {
    throw new RalphError("tools-unknown", `${key}: ${JSON.stringify(rule)} is no plain name of a tool`, {
      hint: 'name whole tools, such as Read or Bash; rules such as "Bash(git *)" can stand in denied_tools',
    });
  }
  const { flags, ...permitted } = withOptions(agent, allowed === null ? [] : tools.allow(allowed));
  return { ...permitted, flags: [...flags, ...(denied.length === 0 ? [] : spelled(tools.deny(denied)))] };
}

const PLAIN_NAME = /^[\w-]+$/;

/** What the agent's own flags say of the same gives way. */
function withOptions(agent: AgentSpec, options: readonly Option[]): AgentSpec {
  const dropped = options.flatMap(({ names }) => names);
  return { ...agent, flags: [...without(agent.flags, dropped, saysWhere), ...options.flatMap(spelled)] };
}
