import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentAdapter } from "../../core/agent.ts";
import type { AgentSpec } from "../../core/agent-spec.ts";
import { RalphError } from "../../core/errors.ts";
import type { LogRef } from "../../core/loop/events.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { AgentSettings } from "../../core/schema/agent.ts";
import { findOnPath } from "../io/find-on-path.ts";
import { commandAgent } from "./command.ts";
import type { AgentKind } from "./kind.ts";

/** Every known agent, by its program's name, loaded on demand. A new one is a file beside these and a line here. */
export const KINDS: ReadonlyMap<string, () => Promise<AgentKind>> = new Map([
  ["claude", async () => (await import("./claude.ts")).claude],
  ["codex", async () => (await import("./codex.ts")).codex],
  ["amp", async () => (await import("./amp.ts")).amp],
  ["gemini", async () => (await import("./gemini.ts")).gemini],
  ["opencode", async () => (await import("./opencode.ts")).opencode],
  ["qwen", async () => (await import("./qwen.ts")).qwen],
]);

const PLAYER = fileURLToPath(new URL("./scripted.js", import.meta.url));

export const SCRIPTED = "scripted";

/** The adapter of an agent, chosen by its program's name and loaded on demand. */
export async function adapterFor(agent: AgentSpec, kinds = KINDS): Promise<AgentAdapter> {
  const { command, promptBy } = agent;
  if (command === SCRIPTED) return scripted();
  const kind = await kindOf(command, kinds);
  if (!kind) return commandAgent(command, promptBy);
  const { knownAgent } = await import("./known.ts");
  return knownAgent(kind, agent);
}

/** The kind of a known agent, by its program's name; null if it is unknown. */
export const kindOf = async (command: string, kinds = KINDS): Promise<AgentKind | null> =>
  (await kinds.get(basename(command))?.()) ?? null;

/** Whether Ralph knows how an agent is used: it can be asked a question without working again. */
export const isKnown = ({ command }: Pick<AgentSpec, "command">, kinds = KINDS): boolean =>
  command === SCRIPTED || kinds.has(basename(command));

/** Every known agent. */
export const knownKinds = (kinds = KINDS): Promise<AgentKind[]> =>
  Promise.all([...kinds.values()].map((load) => load()));

/** The adapter of one of a loop's agents, by its place in the list. */
export const adapterAt = (spec: LoopSpec, place: number): Promise<AgentAdapter> => adapterFor(agentAt(spec, place));

/** The adapter that reads a turn's log: that of the agent that wrote it. */
export async function readerOf(spec: LoopSpec, place: number, log: Pick<LogRef, "as">): Promise<AgentAdapter> {
  return log.as === "events" ? scripted() : adapterAt(spec, place);
}

async function scripted(): Promise<AgentAdapter> {
  const { scriptedAgent } = await import("./scripted.ts");
  return scriptedAgent(PLAYER);
}

/** One of a loop's agents, by its place in the list. */
export function agentAt({ agents }: LoopSpec, place: number): AgentSpec {
  const agent = agents[place];
  if (!agent) throw new Error(`there is no agent ${place} in a loop of ${agents.length}`);
  return agent;
}

/** Throws if an agent's program does not exist, before anything is written. */
export function checkAgent({ command }: Pick<AgentSpec, "command">, cwd: string): void {
  if (command === SCRIPTED || findOnPath(command, cwd)) return;
  const file = command.includes("/") ? statSync(resolve(cwd, command), { throwIfNoEntry: false }) : undefined;
  if (file?.isDirectory()) {
    throw new RalphError("agent-missing", `the agent ${command} is a folder, not a program`, {
      hint: "specify the path of the program itself",
    });
  }
  if (file) {
    throw new RalphError("agent-missing", `the agent ${command} is not executable`, { hint: `chmod +x ${command}` });
  }
  throw new RalphError("agent-missing", `agent not found: ${command}`, {
    hint: /\s/.test(command)
      ? 'specify only the program; with flags it is one text in .ralph/settings.json: {"agent": "claude --model opus"}'
      : "install it, specify its path, or rehearse with `--agent scripted --scenario <file>`",
  });
}

export const agentsOnPath = (cwd: string, kinds = KINDS): string[] =>
  [...kinds.keys()].filter((command) => findOnPath(command, cwd));

/** The only known agent on PATH. Throws if there are none or several. */
export function defaultAgent(cwd: string, kinds = KINDS): AgentSettings {
  const known = [...kinds.keys()];
  const found = agentsOnPath(cwd, kinds);
  const [only] = found;
  if (only && found.length === 1) return { command: only };
  const seen = found.length > 0 ? `several are on PATH: ${found.join(", ")}` : `none of ${known.join(", ")} is on PATH`;
  throw new RalphError("agent-unchosen", `no agent was chosen, and ${seen}`, {
    hint: 'choose one with --agent <command>, or in .ralph/settings.json: {"agent": {"command": "…"}}',
  });
}
