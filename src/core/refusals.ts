import { typedWord } from "./shell.ts";

/** A tool that the agent was not allowed to use in a turn, and how often. A shell is named with its command. */
export interface RefusedTool {
  tool: string;
  times: number;
}

/** What an agent was refused in a turn, and the flags that would have allowed it; bounded. */
export interface Refusals {
  tools: readonly RefusedTool[];
  /** Words of its command line; empty if none are known. */
  allow: readonly string[];
  /** These allow everything: the agent has no milder ones. */
  everything?: true;
}

const MOST_TOOLS = 6;
const COMMAND_CHARS = 80;
const OTHERS = "others";
const SHELLS = /^(bash|shell|powershell|run_shell_command)$/i;

/** Counts refused tools by name. */
export function refusalCounter() {
  const counts = new Map<string, number>();
  return {
    add(name: string, input: string) {
      const command = SHELLS.test(name) && input !== "" && input.length <= COMMAND_CHARS ? `: ${input}` : "";
      const full = `${name}${command}`;
      const tool = counts.has(full) || counts.size < MOST_TOOLS ? full : OTHERS;
      counts.set(tool, (counts.get(tool) ?? 0) + 1);
    },
    tools: (): RefusedTool[] => [...counts].map(([tool, times]) => ({ tool, times })),
  };
}

/** `3 tools: Edit (2), Bash: npm test (1)`. */
export function refusedWords(tools: readonly RefusedTool[]): string {
  const all = tools.reduce((sum, { times }) => sum + times, 0);
  const list = tools.map(({ tool, times }) => `${tool} (${times})`).join(", ");
  return `${all} ${all === 1 ? "tool" : "tools"}: ${list}`;
}

/** The flags after `--` as the user types them. */
export const allowWords = ({ allow, everything }: Refusals): string =>
  `-- ${allow.map(typedWord).join(" ")}${everything ? "   (allows everything: only in a sandbox)" : ""}`;

/** The name of a refused tool, and the command if it is a shell. */
export function refusedParts({ tool }: RefusedTool): { name: string; command: string | null } {
  const [, name = tool, command = null] = /^([^:]+): (.+)$/s.exec(tool) ?? [];
  return SHELLS.test(name) ? { name, command } : { name: tool, command: null };
}
