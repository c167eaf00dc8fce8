import { basename } from "node:path";
import { type AgentSpec, splitFlag } from "../../core/agent-spec.ts";
import { RalphError } from "../../core/errors.ts";
import type { ToolRules } from "../../core/workflow/workflow.ts";
import { kindOf, SCRIPTED } from "./agent.ts";
import { isPlaceholder } from "./command.ts";
import { hasFlag, type Option, spelled, withoutFlags } from "./flags.ts";

/** What a command line adds to the flags of its only agent. */
export interface AskedFlags {
  /** Replaces the model in its flags. */
  model?: string | undefined;
  agentFlags?: readonly string[] | undefined;
}

const MODEL_FLAG = "--model";

/** Agents with the model and the flags of a command line, which are for one agent: others have other flags. */
export async function withAsked<Agent extends Flagged>(
  agents: readonly Agent[],
  { model, agentFlags = [] }: AskedFlags,
): Promise<Agent[]> {
  const [only, another] = agents;
  if (!only || (model === undefined && agentFlags.length === 0)) return [...agents];
  const what = model === undefined ? `flags after --` : MODEL_FLAG;
  if (another) {
    throw new RalphError("agent-unclear", `${what}: for one agent, not for ${agents.map(nameOf).join(" and ")}`, {
      hint: `choose one: --agent ${only.command}; or give each its own: --agent "${only.command} …" --agent "${another.command} …"`,
    });
  }
  if (only.command === SCRIPTED) {
    throw new RalphError("flags-scripted", `${what}: the scripted agent takes no flags`, { hint: "leave them out" });
  }
  const own = (only.flags ?? []).flatMap(splitFlag);
  const modes = (await kindOf(only.command))?.permissions.modes ?? [];
  const kept = hasFlag(agentFlags, modes) ? withoutFlags(own, modes, isPlaceholder) : own;
  const flagged = { ...only, flags: [...kept, ...agentFlags] };
  return [model === undefined ? flagged : await withModel(flagged, model, MODEL_FLAG)];
}

interface Flagged {
  command: string;
  flags?: readonly string[];
}

const nameOf = ({ command }: Flagged): string => basename(command);

/** Sets an agent's model with its model flag and replaces a model in its own flags. */
export async function withModel<Agent extends Flagged>(agent: Agent, model: string, key: string): Promise<Agent> {
  const names = (await kindOf(agent.command))?.model?.names;
  if (!names) {
    const hint =
      key === MODEL_FLAG
        ? `omit it and pass the agent's own flag after --: ralph run … -- <flag> ${model}`
        : `omit it and set the model in the agent's flags: {"agents": [{"command": "${agent.command}", "flags": ["…"]}]}`;
    const message = `${key}: ralph does not know the model flag of ${basename(agent.command)}`;
    throw new RalphError("model-unknown", message, { hint });
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
function withOptions<Agent extends Flagged>(agent: Agent, options: readonly Option[]): Agent & { flags: string[] } {
  const dropped = options.flatMap(({ names }) => names);
  return { ...agent, flags: [...withoutFlags(agent.flags ?? [], dropped, isPlaceholder), ...options.flatMap(spelled)] };
}
