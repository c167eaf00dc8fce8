import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { AgentSettings } from "../../core/schema/agent.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { splitWords } from "../../core/shell.ts";
import { findOnPath } from "../io/find-on-path.ts";
import { defaultAgent, SCRIPTED } from "./agent.ts";
import { type AskedFlags, withAsked } from "./agent-flags.ts";

export interface AgentChoice extends AskedFlags {
  cwd: string;
  /** In order of preference. */
  agent?: readonly string[];
  scenario?: string;
}

/** The agents to use, with what a command line adds to their flags. */
export const flaggedAgents = (choice: AgentChoice, settings: Settings): Promise<AgentSettings[]> =>
  withAsked(agentsOf(choice, settings), choice);

/** The agents to use. Flags win over settings; an agent given by its command keeps the settings written for it. */
export function agentsOf({ cwd, agent: named, scenario }: AgentChoice, settings: Settings): AgentSettings[] {
  const written = settings.agents ?? (settings.agent ? [settings.agent] : []);
  const wanted = named ?? (scenario === undefined ? undefined : [SCRIPTED]);
  const chosen = wanted?.map((line) => agentNamed(line, written, cwd)) ?? written;
  if (scenario !== undefined && !chosen.some(isScripted)) {
    const commands = chosen.map(({ command }) => command).join(", ");
    throw new RalphError("scenario-unused", `--scenario is for the scripted agent, and --agent is ${commands}`, {
      hint: "omit one of them",
    });
  }
  if (chosen.length === 0) return [defaultAgent(cwd)];
  return chosen.map((agent) => (isScripted(agent) ? withScenario(agent, cwd, scenario) : agent));
}

/** An agent given as a command, or as a command line such as `claude --model opus`. */
export function agentNamed(line: string, written: readonly AgentSettings[], cwd: string): AgentSettings {
  const same = (command: string) => written.find((agent) => agent.command === command) ?? { command };
  // The path of a program may contain spaces.
  if (!/\s/.test(line) || written.some(({ command }) => command === line) || findOnPath(line, cwd)) return same(line);
  const [command, ...flags] = splitWords(line) ?? [];
  if (command === undefined) {
    throw new RalphError("agent-unreadable", `--agent: a quote is not closed in ${line}`, {
      hint: 'write it as in a shell, such as --agent "claude --model opus"',
    });
  }
  const agent = same(command);
  return flags.length > 0 ? { ...agent, flags: [...(agent.flags ?? []), ...flags] } : agent;
}

const isScripted = ({ command }: AgentSettings): boolean => command === SCRIPTED;

function withScenario(agent: AgentSettings, cwd: string, scenario: string | undefined): AgentSettings {
  const flags = scenario === undefined ? (agent.flags ?? []) : [resolve(cwd, scenario)];
  if (scenario !== undefined && !existsSync(resolve(cwd, scenario))) {
    throw new RalphError("scenario-missing", `there is no scenario ${scenario}`, {
      hint: `check the path given with --scenario (relative to ${cwd})`,
    });
  }
  if (flags.length > 0) return { ...agent, flags };
  throw new RalphError("scenario-missing", "the scripted agent needs a scenario to play", {
    hint: "specify --scenario <file>; docs/scripted-agent.md shows one",
  });
}
