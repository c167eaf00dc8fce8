import type { AgentAdapter, AgentRun } from "../../core/agent.ts";

const PLACEHOLDER = "{prompt}";

type PromptBy = "argument" | "stdin" | null;

/** Any command: its flags, then the prompt last, in place of `{prompt}` or on stdin. Its output is the agent's text. */
export const commandAgent = (command: string, promptBy: PromptBy = null): AgentAdapter => ({
  id: command,
  command: (run) => ({
    file: command,
    args: argumentsOf(run, promptBy),
    stdin: promptBy === "stdin" ? run.prompt : null,
    env: loopVariables(run),
  }),
});

function argumentsOf({ flags, prompt }: AgentRun, by: PromptBy): string[] {
  if (by === "stdin") return [...flags];
  return hasPlaceholder(flags) ? fillPlaceholder(flags, prompt) : [...flags, prompt];
}

export const isPlaceholder = (flag: string): boolean => flag.includes(PLACEHOLDER);

export const hasPlaceholder = (flags: readonly string[]): boolean => flags.some(isPlaceholder);

export const fillPlaceholder = (flags: readonly string[], prompt: string): string[] =>
  flags.map((flag) => flag.split(PLACEHOLDER).join(prompt));

/** The position of a run in its loop, for agents that are scripts. */
export const loopVariables = ({ iteration, attempt, sessionId, purpose }: AgentRun): Record<string, string> => ({
  RALPH_ITERATION: String(iteration),
  RALPH_ATTEMPT: String(attempt),
  // Set even if empty: a nested Ralph must not continue its parent's session.
  RALPH_SESSION: sessionId ?? "",
  RALPH_PURPOSE: purpose,
});
