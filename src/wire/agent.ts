import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { plainCommand } from "../agents/command.ts";
import type { AgentAdapter } from "../core/agent.ts";
import { RalphError } from "../core/errors.ts";
import type { AgentSpec, LoopSpec } from "../core/loop/spec.ts";
import type { AgentSettings } from "../core/schema/settings.ts";
import { findOnPath } from "../io/find-on-path.ts";

/** The known agents, and the words that make each of them answer once instead of opening its own screen. */
const ONE_SHOT: Record<string, { first?: readonly string[]; last?: readonly string[] }> = {
  claude: { first: ["-p"] },
  codex: { first: ["e"] },
  amp: { last: ["-x"] },
  gemini: { last: ["-p"] },
  opencode: { first: ["run"] },
  qwen: {},
};

const PLAYER = fileURLToPath(new URL("./scripted.js", import.meta.url));

export const SCRIPTED = "scripted";

/** The adapter of an agent; what only one of them needs is loaded with it. */
export async function adapterFor({ command, promptBy }: AgentSpec): Promise<AgentAdapter> {
  if (command !== SCRIPTED) return plainCommand(command, { words: ONE_SHOT[basename(command)], promptBy });
  const { scriptedAgent } = await import("../agents/scripted.ts");
  return scriptedAgent(PLAYER);
}

/** The adapter of one of a loop's agents, by its place in the list. */
export function adapterAt({ agents }: LoopSpec, place: number): Promise<AgentAdapter> {
  const agent = agents[place];
  if (!agent) throw new Error(`a loop of ${agents.length} agents has none at ${place}`);
  return adapterFor(agent);
}

/** Refuses an agent that is not there before anything is written. */
export function checkAgent({ command }: Pick<AgentSpec, "command">, cwd: string): void {
  if (command === SCRIPTED || findOnPath(command, cwd)) return;
  const file = command.includes("/") ? statSync(resolve(cwd, command), { throwIfNoEntry: false }) : undefined;
  if (file?.isDirectory()) {
    throw new RalphError("agent-missing", `the agent ${command} is a folder, not a program`, {
      hint: "give the path of the program itself",
    });
  }
  if (file) {
    throw new RalphError("agent-missing", `the agent ${command} is not executable`, { hint: `chmod +x ${command}` });
  }
  throw new RalphError("agent-missing", `agent not found: ${command}`, {
    hint: /\s/.test(command)
      ? 'name the program alone; its flags go into .ralph/settings.json: {"agent": {"command": "…", "flags": ["…"]}}'
      : "install it, give its path, or rehearse with `--agent scripted --scenario <file>`",
  });
}

/** The known agents that are on PATH. */
export const agentsOnPath = (cwd: string): string[] =>
  Object.keys(ONE_SHOT).filter((command) => findOnPath(command, cwd));

/** The only known agent on PATH; with none or several a person has to choose. */
export function defaultAgent(cwd: string): AgentSettings {
  const found = agentsOnPath(cwd);
  const [only] = found;
  if (only && found.length === 1) return { command: only };
  const seen =
    found.length > 0
      ? `several are on PATH: ${found.join(", ")}`
      : `none of ${Object.keys(ONE_SHOT).join(", ")} is on PATH`;
  throw new RalphError("agent-unchosen", `no agent was chosen, and ${seen}`, {
    hint: 'choose with --agent <command>, or in .ralph/settings.json: {"agent": {"command": "…"}}',
  });
}
