import { type AgentEvent, FAILURES, TROUBLES, type TurnFault } from "../../../core/agent.ts";
import type { Usage } from "../../../core/usage.ts";
import { asFields, asText, countOf } from "../../agents/json.ts";

/** An event of those that the plugin tells; null for anything else. */
export function eventOf(told: unknown): AgentEvent | null {
  const fields = asFields(told);
  const text = asText(fields.text);
  switch (fields.type) {
    case "text.said":
    case "thought.had":
      return { type: fields.type, text };
    case "message.ended":
    case "turn.succeeded":
      return { type: fields.type };
    case "tool.called":
      return { type: "tool.called", name: asText(fields.name), summary: asText(fields.summary) };
    case "tool.denied":
      return { type: "tool.denied", name: asText(fields.name), detail: asText(fields.detail) };
    case "session.opened":
      return { type: "session.opened", sessionId: asText(fields.sessionId), model: asText(fields.model) };
    case "usage.reported":
      return { type: "usage.reported", usage: usageOf(fields.usage), of: "step" };
    case "turn.failed": {
      const fault = faultOf(fields.fault);
      return fault && { type: "turn.failed", fault };
    }
    default:
      return null;
  }
}

function faultOf(told: unknown): TurnFault | null {
  const { kind: name, detail, retryAtMs } = asFields(told);
  const kind = [...TROUBLES, ...FAILURES].find((known) => known === name);
  if (!kind) return null;
  return { kind, detail: asText(detail), ...(countOf(retryAtMs) > 0 ? { retryAtMs: countOf(retryAtMs) } : {}) };
}

export function usageOf(told: unknown): Usage {
  const { inputTokens, cachedTokens, outputTokens, costUsd } = asFields(told);
  return {
    inputTokens: countOf(inputTokens),
    cachedTokens: countOf(cachedTokens),
    outputTokens: countOf(outputTokens),
    costUsd: countOf(costUsd),
  };
}
