import type { AgentAdapter, AgentRun } from "../core/agent.ts";

/** What makes an agent answer once instead of opening its own screen: words before its flags, or just before the prompt. */
interface Words {
  first: readonly string[];
  last: readonly string[];
}

const PLACEHOLDER = "{prompt}";

interface PlainOptions {
  words?: Partial<Words> | undefined;
  promptBy?: "argument" | "stdin" | null;
}

/**
 * Any command: the words that make it answer once, its flags, then the prompt as the last argument, or wherever a
 * flag says `{prompt}`, or on standard input. What it prints is the assistant's text.
 */
export const plainCommand = (command: string, { words = {}, promptBy = null }: PlainOptions = {}): AgentAdapter => ({
  id: command,
  command: (run) => ({
    file: command,
    args: [...(words.first ?? []), ...argumentsOf(run, words.last ?? [], promptBy)],
    stdin: promptBy === "stdin" ? run.prompt : null,
    env: loopVariables(run),
  }),
});

function argumentsOf({ flags, prompt }: AgentRun, last: readonly string[], by: PlainOptions["promptBy"]): string[] {
  if (by === "stdin") return [...flags, ...last];
  const placed = flags.some((flag) => flag.includes(PLACEHOLDER));
  return placed ? flags.map((flag) => flag.split(PLACEHOLDER).join(prompt)) : [...flags, ...last, prompt];
}

/** Where in its loop a run stands, for agents that are scripts. */
export const loopVariables = ({ iteration, attempt, sessionId, purpose }: AgentRun): Record<string, string> => ({
  RALPH_ITERATION: String(iteration),
  RALPH_ATTEMPT: String(attempt),
  // Set even when empty: a Ralph inside a Ralph must not continue its parent's session.
  RALPH_SESSION: sessionId ?? "",
  RALPH_PURPOSE: purpose,
});
