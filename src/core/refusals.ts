import { joinedFlags } from "./agent-spec.ts";
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
  /** Commands that are not suggested, as the agent's rules name them. */
  unproposed?: readonly string[];
}

const MOST_TOOLS = 6;
const COMMAND_CHARS = 80;
const OTHERS = "others";
const CUT = " …";
const SHELLS = /^(bash|shell|powershell|run_shell_command)$/i;

/** Counts refused tools by name. */
export function refusalCounter() {
  const counts = new Map<string, number>();
  return {
    add(name: string, input: string) {
      const text = SHELLS.test(name) ? boundedCommand(input) : "";
      const command = text === "" ? "" : `: ${text}`;
      const full = `${name}${command}`;
      const tool = counts.has(full) || counts.size < MOST_TOOLS ? full : OTHERS;
      counts.set(tool, (counts.get(tool) ?? 0) + 1);
    },
    tools: (): RefusedTool[] => [...counts].map(([tool, times]) => ({ tool, times })),
  };
}

/** A long command is cut to its program and subcommand. */
function boundedCommand(input: string): string {
  if (input.length <= COMMAND_CHARS) return input;
  const line = input.replace(/^\s*cd\s+\S+\s*(&&|;)/, "").trim();
  const start = /^(\w+=\S*\s+)*[\w./@-]+(\s+[\w./:@-]+)?/.exec(line)?.[0] ?? "";
  return start !== "" && start.length <= COMMAND_CHARS ? `${start}${CUT}` : "";
}

/** `3 tools: Edit (2), Bash: npm test (1)`. */
export function refusedWords(tools: readonly RefusedTool[]): string {
  const all = tools.reduce((sum, { times }) => sum + times, 0);
  const list = tools.map(({ tool, times }) => `${tool} (${times})`).join(", ");
  return `${all} ${all === 1 ? "tool" : "tools"}: ${list}`;
}

/** The flags after `--` as the user types them; a pasted remark is a comment. */
export const allowWords = ({ allow, everything }: Refusals): string =>
  `-- ${allow.map(typedWord).join(" ")}${everything ? "   # allows everything: only in a sandbox" : ""}`;

/** What Ralph leaves to the user; null if nothing. */
export const unproposedWords = ({ unproposed = [] }: Pick<Refusals, "unproposed">): string | null =>
  unproposed.length > 0 ? `not proposed by Ralph; if you want it: ${unproposed.join(" ")}` : null;

/** How to allow what was refused, and what is left to the user. `loop`: null if it cannot be resumed by itself. */
export function allowLines(refusals: Refusals, loop: string | null): string[] {
  const { allow, everything } = refusals;
  const left = unproposedWords(refusals);
  const flags = `add to the agent's flags: ${JSON.stringify(joinedFlags(allow))}`;
  const way = loop === null ? `${flags}${everything ? " (allows everything: only in a sandbox)" : ""}` : "";
  return [
    ...(allow.length > 0 ? [`to allow that: ${way || `ralph resume ${loop} ${allowWords(refusals)}`}`] : []),
    ...(left === null ? [] : [left]),
  ];
}

/** The name of a refused tool, and the command if it is a shell. */
export function refusedParts({ tool }: RefusedTool): { name: string; command: string | null } {
  const [, name = tool, command = null] = /^([^:]+): (.+)$/s.exec(tool) ?? [];
  return SHELLS.test(name) ? { name, command: command && withoutCut(command) } : { name: tool, command: null };
}

const withoutCut = (command: string): string => (command.endsWith(CUT) ? command.slice(0, -CUT.length) : command);

/** A shell, or tools that were too many to name. */
export const isShellTool = (name: string): boolean => SHELLS.test(name) || name === OTHERS;
