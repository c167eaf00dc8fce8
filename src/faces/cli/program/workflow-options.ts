import { SCRIPTED } from "../../../adapters/agents/agent.ts";
import { RalphError } from "../../../core/errors.ts";
import type { RunOutput } from "../live/run-console.ts";
import type { AgentOptions } from "./agent-options.ts";

export interface WorkflowRunOptions extends RunOutput, AgentOptions {
  dryRun?: boolean;
  rehearse?: boolean;
  agent?: string;
  scenario?: string;
  settings?: string;
  strict?: boolean;
  force?: boolean;
}

/** What the options request, besides the workflow. */
export const askedFor = ({ agent, scenario, settings, model, agentFlag }: WorkflowRunOptions) => ({
  agent: agentOf(agent, scenario),
  ...(model === undefined ? {} : { model }),
  ...(agentFlag === undefined ? {} : { agentFlags: agentFlag }),
  ...(settings === undefined ? {} : { settingsPath: settings }),
});

/** --scenario alone implies the scripted agent. */
function agentOf(command: string | undefined, scenario: string | undefined) {
  if (scenario !== undefined && command !== undefined && command !== SCRIPTED) {
    throw new RalphError("scenario-unused", `--scenario is for the scripted agent, and --agent is ${command}`, {
      hint: "leave out one of them",
    });
  }
  const wanted = command ?? (scenario === undefined ? undefined : SCRIPTED);
  return wanted === undefined ? null : { command: wanted, scenario: scenario ?? null };
}
