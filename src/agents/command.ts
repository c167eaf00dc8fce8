import type { AgentAdapter } from "../core/agent.ts";

/** What makes an agent answer once instead of opening its own screen: words before its flags, or just before the prompt. */
interface Words {
  first: readonly string[];
  last: readonly string[];
}

const PLACEHOLDER = "{prompt}";

/**
 * Any command: the words that make it answer once, its flags, then the prompt as the last argument, or wherever a
 * flag says `{prompt}`. What it prints is the assistant's text.
 */
export const plainCommand = (command: string, words: Partial<Words> = {}): AgentAdapter => ({
  id: command,
  command: ({ prompt, flags, iteration, attempt, sessionId }) => ({
    file: command,
    args: flags.some((flag) => flag.includes(PLACEHOLDER))
      ? [...(words.first ?? []), ...flags.map((flag) => flag.split(PLACEHOLDER).join(prompt))]
      : [...(words.first ?? []), ...flags, ...(words.last ?? []), prompt],
    stdin: null,
    env: {
      RALPH_ITERATION: String(iteration),
      RALPH_ATTEMPT: String(attempt),
      // Set even when empty: a Ralph inside a Ralph must not continue its parent's session.
      RALPH_SESSION: sessionId ?? "",
    },
  }),
});
