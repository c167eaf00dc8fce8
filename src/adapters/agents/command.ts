import type { AgentAdapter, AgentRun } from "../../core/agent.ts";

const PLACEHOLDER = "{prompt}";

type PromptBy = "argument" | "stdin" | null;

/**
 * Any command: its flags, then the prompt as the last argument, or wherever a flag says `{prompt}`, or on standard
 * input. What it prints is the assistant's text.
 */
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
  return holdsPlaceholder(flags) ? fillPlaceholder(flags, prompt) : [...flags, prompt];
}

/** Whether a flag says where the prompt goes. */
export const saysWhere = (flag: string): boolean => flag.includes(PLACEHOLDER);

export const holdsPlaceholder = (flags: readonly string[]): boolean => flags.some(saysWhere);

export const fillPlaceholder = (flags: readonly string[], prompt: string): string[] =>
  flags.map((flag) => flag.split(PLACEHOLDER).join(prompt));

/** Where in its loop a run stands, for agents that are scripts. */
export const loopVariables = ({ iteration, attempt, sessionId, purpose }: AgentRun): Record<string, string> => ({
  RALPH_ITERATION: String(iteration),
  RALPH_ATTEMPT: String(attempt),
  // Set even when empty: a Ralph inside a Ralph must not continue its parent's session.
  RALPH_SESSION: sessionId ?? "",
  RALPH_PURPOSE: purpose,
});
