import type { AgentAdapter, AgentEvent } from "../../core/agent.ts";
import { agentEventSchema } from "../../core/schema/agent-event.ts";
import { loopVariables } from "./command.ts";
import { parseFields } from "./json.ts";

/** The agent that plays a scenario, for rehearsals and tests. `playerPath` is the file of the player program. */
export const scriptedAgent = (playerPath: string): AgentAdapter => ({
  id: "scripted",
  command: (run) => ({
    file: process.execPath,
    args: [playerPath, ...run.flags],
    stdin: run.prompt,
    env: loopVariables(run),
  }),
  open: () => ({ line: parse }),
  unheard: ['{"type":"tool.returned"', '{"type":"thought.had"'],
});

function parse(line: string): AgentEvent[] {
  const event = agentEventSchema.safeParse(parseFields(line));
  return event.success ? [event.data] : [];
}
