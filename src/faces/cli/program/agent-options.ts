import { type Command, Option } from "commander";
import type { AskedFlags } from "../../../adapters/agents/agent-flags.ts";
import { nonEmptyText } from "./arguments.ts";
import { readTyped } from "./typed-words.ts";

/** Carries the words after `--`: commander would mix them with the command's own. */
const AGENT_FLAG = "--agent-flag";

/** The model and flags for the agent. */
export interface AgentOptions {
  model?: string;
  agentFlag?: string[];
}

/** Adds `--model` and `-- <agent flags>` to a command that starts an agent. `usage`: its own arguments. */
export const withAgentOptions = (command: Command, usage: string): Command =>
  command
    .usage(`[options]${usage && ` ${usage}`} [-- <agent flags>]`)
    .option(
      "--model <name>",
      "the model, set with the agent's own flag; other flags for the agent go after --",
      nonEmptyText,
    )
    .addOption(
      new Option(`${AGENT_FLAG} <flag>`)
        .argParser((flag: string, before: string[] = []) => [...before, flag])
        .hideHelp(),
    );

export const askedFlags = ({ model, agentFlag }: AgentOptions): AskedFlags => ({ model, agentFlags: agentFlag });

/** A command line, with the words after `--` as values of a hidden option if the command starts an agent. */
export function withAgentFlags(program: Command, words: readonly string[]): string[] {
  const named = (parent: Command, name = "") => parent.commands.find((command) => command.name() === name);
  const group = named(program, words[0]);
  const inner = group && named(group, words[1]);
  const command = inner ?? group;
  if (!command?.options.some(({ long }) => long === AGENT_FLAG)) return [...words];
  const names = inner ? 2 : 1;
  const { end } = readTyped(words.slice(names), command);
  if (end === null) return [...words];
  const at = names + end;
  return [...words.slice(0, at), ...words.slice(at + 1).map((flag) => `${AGENT_FLAG}=${flag}`)];
}
