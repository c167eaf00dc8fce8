import type { AgentEvent } from "./agent.ts";
import { shorten } from "./excerpt.ts";

const SUMMARY_CHARS = 160;

/** An agent's event as a person reads it on the console; empty when there is nothing to show. */
export function renderEvent(event: AgentEvent): string {
  switch (event.type) {
    case "text.said":
      return event.text;
    case "message.ended":
      return "\n";
    case "tool.called":
      return `  → ${event.name} ${oneLine(event.summary)}\n`;
    case "turn.failed":
      return `  ✗ ${event.fault.kind}: ${oneLine(event.fault.detail)}\n`;
    default:
      return "";
  }
}

const oneLine = (text: string): string => shorten(text, SUMMARY_CHARS);
