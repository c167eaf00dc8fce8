import type { AgentAdapter } from "../core/agent.ts";

const PLACEHOLDER = "{prompt}";

/**
 * Any command: the words that make it answer once, its flags, then the prompt as the last argument, or wherever a
 * flag says `{prompt}`. What it prints is the assistant's text.
 */
export const plainCommand = (command: string, words: readonly string[] = []): AgentAdapter => ({
  id: command,
  command: ({ prompt, flags, iteration, attempt, sessionId }) => ({
    file: command,
    args: flags.some((flag) => flag.includes(PLACEHOLDER))
      ? [...words, ...flags.map((flag) => flag.split(PLACEHOLDER).join(prompt))]
      : [...words, ...flags, prompt],
    stdin: null,
    env: {
      RALPH_ITERATION: String(iteration),
      RALPH_ATTEMPT: String(attempt),
      ...(sessionId ? { RALPH_SESSION: sessionId } : {}),
    },
  }),
});
