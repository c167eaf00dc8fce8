import type { AgentEvent } from "../../core/agent.ts";
import type { HostEvent } from "../../core/host.ts";
import type { Usage } from "../../core/usage.ts";

export interface SessionRecord {
  usage: Usage;
  model: string | null;
  tools: readonly ToolCall[];
}

type ToolCall = AgentEvent & { type: "tool.called" };

/** Tool calls of one turn beyond this number are left out. */
const MAX_TOOLS = 1000;

/** The tool calls since the last prompt, up to a limit. */
export function toolList() {
  let calls: ToolCall[] = [];
  return {
    add(name: string, summary: string) {
      if (calls.length < MAX_TOOLS) calls.push({ type: "tool.called", name, summary });
    },
    clear() {
      calls = [];
    },
    calls: (): readonly ToolCall[] => calls,
  };
}

export function withRecord(event: HostEvent, sessionId: string, record: SessionRecord): HostEvent {
  const { usage, model, tools } = record;
  if (event.type === "command.typed") return { ...event, usage };
  if (event.type !== "session.idle") return event;
  return {
    ...event,
    events: [
      { type: "session.opened", sessionId, ...(model === null ? {} : { model }) },
      ...tools,
      { type: "usage.reported", usage, of: "session" },
      ...event.events,
    ],
    tellsTools: true,
  };
}

/** An event of a session without a record: its cost is unknown, which is not zero. */
export const withoutRecord = (event: HostEvent): HostEvent =>
  event.type === "session.idle" ? { ...event, usageUnknown: true } : event;
