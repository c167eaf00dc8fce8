import type { AgentAdapter, AgentEvent } from "../core/agent.ts";
import { agentEventSchema } from "../core/schema/agent-event.ts";

/** The agent that plays a scenario, for rehearsals and tests. `playerPath` is the player's program file. */
export const scriptedAgent = (playerPath: string): AgentAdapter => ({
  id: "scripted",
  command: ({ prompt, flags, sessionId, iteration, attempt }) => ({
    file: process.execPath,
    args: [playerPath, ...flags],
    stdin: prompt,
    env: {
      RALPH_ITERATION: String(iteration),
      RALPH_ATTEMPT: String(attempt),
      // Set even when empty: a Ralph inside a Ralph must not continue its parent's session.
      RALPH_SESSION: sessionId ?? "",
    },
  }),
  parse,
  unheard: ['{"type":"tool.returned"', '{"type":"thought.had"'],
});

function parse(line: string): AgentEvent[] {
  const event = agentEventSchema.safeParse(parseJson(line));
  return event.success ? [event.data] : [];
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // a broken line is no event
  }
}
