import { resolve } from "node:path";
import { checkAgent } from "../../adapters/agents/agent.ts";
import { type AgentChoice, flaggedAgents } from "../../adapters/agents/chosen-agents.ts";
import { stageAgents } from "../../adapters/agents/stage-agents.ts";
import { mergeSettings } from "../../adapters/settings/settings.ts";
import { readTaskSettings } from "../../adapters/settings/settings-files.ts";
import type { AgentSpec } from "../../core/agent-spec.ts";
import type { RalphSettings } from "../../core/schema/ralph.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { LOOP_ROLES, type LoopRole } from "../../core/task/role.ts";
import { ralphOf } from "./stage/proof.ts";

export interface PipelineSettings {
  all: Settings;
  ralph: RalphSettings;
  /** Files whose change is tampering. */
  protect: readonly string[];
  agents: Readonly<Record<LoopRole, readonly AgentSpec[]>>;
}

/** Reads settings and finds the agents of all stages. Throws for a missing agent before work starts, not in a dry run. */
export async function pipelineSettings(
  request: AgentChoice & { settings?: string; strict?: boolean; dryRun?: boolean },
): Promise<PipelineSettings> {
  const { cwd, agent, scenario, model, agentFlags, strict, dryRun } = request;
  const files = await readTaskSettings(cwd, request.settings);
  const written = mergeSettings(...files.layers, ...(strict ? [{ proof: "strict" as const }] : []));
  const flagged = agent || agentFlags || scenario !== undefined || model !== undefined;
  const all = flagged ? mergeSettings(written, { agents: await flaggedAgents(request, written) }) : written;
  const agents: Partial<Record<LoopRole, readonly AgentSpec[]>> = {};
  for (const place of LOOP_ROLES) {
    agents[place] = (await stageAgents(cwd, place, all)).map((one) => ({ ...one, command: fixed(one.command, cwd) }));
    if (!dryRun) for (const one of agents[place]) checkAgent(one, cwd);
  }
  return {
    all,
    ralph: ralphOf(all),
    protect: [...files.paths, ...(all.protect ?? [])],
    agents: agents as PipelineSettings["agents"],
  };
}

/** Relative to where the execution started: in a task's worktree an agent could put another program there. */
const fixed = (command: string, cwd: string): string => (command.includes("/") ? resolve(cwd, command) : command);
