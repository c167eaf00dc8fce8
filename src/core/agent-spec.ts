import type { AgentSettings } from "./schema/agent.ts";
import type { Price } from "./usage.ts";

/** A coding agent, and how it is run. */
export interface AgentSpec {
  /** A known agent's name, or any command. */
  command: string;
  flags: readonly string[];
  /** `text`: plain output, also where the agent has a structured stream. */
  output: "stream" | "text";
  /** How it is given the prompt; null: the way that suits it best. */
  promptBy: "argument" | "stdin" | null;
  price: Price | null;
}

/** Settings of an agent, with everything decided that they leave open. */
export const agentSpec = ({ command, flags = [], output, prompt, price }: AgentSettings): AgentSpec => ({
  command,
  flags: flags.flatMap(splitFlag),
  output: output ?? "stream",
  promptBy: prompt ?? null,
  price: price ?? null,
});

/** An entry such as `--model opus` is two arguments; a flag's value may contain spaces itself. */
function splitFlag(flag: string): string[] {
  const [, name, value] = /^(-\S+)\s+(.*)$/s.exec(flag) ?? [];
  return name !== undefined && value ? [name, value] : [name ?? flag];
}
