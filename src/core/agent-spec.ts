import type { AgentSettings } from "./schema/agent.ts";
import type { Price } from "./usage.ts";

/** A coding agent, and how it is run. */
export interface AgentSpec {
  /** A known agent's name, or any command. */
  command: string;
  flags: readonly string[];
  /** `text`: plain output, even if the agent has a structured stream. */
  output: "stream" | "text";
  /** How it gets the prompt; null: the default of the agent. */
  promptBy: "argument" | "stdin" | null;
  price: Price | null;
}

/** Settings of an agent with the defaults filled in. */
export const agentSpec = ({ command, flags = [], output, prompt, price }: AgentSettings): AgentSpec => ({
  command,
  flags: flags.flatMap(splitFlag),
  output: output ?? "stream",
  promptBy: prompt ?? null,
  price: price ?? null,
});

/** An entry such as `--model opus` is two arguments; the value itself may contain spaces, also in `--flag=a value`. */
export function splitFlag(flag: string): string[] {
  const [, name, value] = /^(-[^\s=]+)\s+(.*)$/s.exec(flag) ?? [];
  return name !== undefined && value ? [name, value] : [name ?? flag];
}

/** Entries for the settings: a flag with the value after it. */
export function joinedFlags(words: readonly string[]): string[] {
  const entries: string[] = [];
  for (const word of words) {
    const last = entries.at(-1) ?? "";
    if (/^-[^\s=]+$/.test(last) && !word.startsWith("-")) entries[entries.length - 1] = `${last} ${word}`;
    else entries.push(word);
  }
  return entries;
}
