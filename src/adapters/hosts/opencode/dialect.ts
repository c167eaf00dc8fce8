import { type AgentEvent, FAILURES, TROUBLES, type TurnFault } from "../../../core/agent.ts";
import {
  HOST_COMMANDS,
  type HostAnswer,
  type HostDialect,
  type HostEvent,
  type HostSession,
  NO_ANSWER,
  TOAST_VARIANTS,
  type Toast,
} from "../../../core/host.ts";
import type { Usage } from "../../../core/usage.ts";
import { asFields, asList, asText, countOf, type JsonFields } from "../../agents/json.ts";

/** What the plugin sends to the program, as one line. The input stays open until OpenCode or the plugin ends. */
export interface PluginPayload {
  session: Pick<HostSession, "id" | "cwd">;
  event: HostEvent;
  arrivedMs: number;
}

/** OpenCode, whose plugin is Ralph's own: both sides of the pipe use Ralph's events and answers. */
export const opencodeDialect: HostDialect = {
  staysOpen: true,
  read(payload) {
    const { session, event: told, arrivedMs } = asFields(payload);
    const { id, cwd } = asFields(session);
    const event = hostEvent(asFields(told));
    if (!event || asText(id) === "" || asText(cwd) === "") return null;
    return {
      session: { host: "opencode", id: asText(id), cwd: asText(cwd) },
      event,
      ...(typeof arrivedMs === "number" && Number.isFinite(arrivedMs) ? { arrivedMs } : {}),
    };
  },
  write: (answer) => JSON.stringify(answer),
};

function hostEvent(told: JsonFields): HostEvent | null {
  switch (told.type) {
    case "command.typed": {
      const command = HOST_COMMANDS.find((name) => name === told.command);
      if (!command) return null;
      const usage = told.usage === undefined ? {} : { usage: usageOf(told.usage) };
      return { type: "command.typed", command, arguments: asText(told.arguments), ...usage };
    }
    case "session.idle": {
      const events = asList(told.events).flatMap((event) => eventOf(event) ?? []);
      return { type: "session.idle", events, tellsTools: told.tellsTools === true };
    }
    case "session.aborted":
    case "session.deleted":
      return { type: told.type };
    case "session.moved":
      return asText(told.to) === "" ? null : { type: "session.moved", to: asText(told.to) };
    default:
      return null;
  }
}

/** The answer that the program printed; null if invalid. Empty output is an answer too. */
export function answerIn(printed: string): HostAnswer | null {
  if (printed.trim() === "") return NO_ANSWER;
  try {
    const told: unknown = JSON.parse(printed);
    const { prompt, toasts, says, refused } = asFields(told);
    if (prompt === undefined) return null;
    const { text, fresh } = asFields(prompt);
    return {
      prompt: typeof text === "string" ? { text, fresh: fresh === true } : null,
      toasts: asList(toasts).map(toastOf),
      says: asText(says),
      refused: refused === true,
    };
  } catch {
    return null;
  }
}

function toastOf(told: unknown): Toast {
  const { title, message, variant, duration } = asFields(told);
  return {
    title: asText(title),
    message: asText(message),
    variant: TOAST_VARIANTS.find((name) => name === variant) ?? "info",
    ...(typeof duration === "number" ? { duration } : {}),
  };
}

function eventOf(told: unknown): AgentEvent | null {
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
    case "tool.failed":
      return { type: "tool.failed", name: asText(fields.name), detail: asText(fields.detail) };
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

function usageOf(told: unknown): Usage {
  const { inputTokens, cachedTokens, outputTokens, costUsd } = asFields(told);
  return {
    inputTokens: countOf(inputTokens),
    cachedTokens: countOf(cachedTokens),
    outputTokens: countOf(outputTokens),
    costUsd: countOf(costUsd),
  };
}
