import {
  HOST_COMMANDS,
  type HostAnswer,
  type HostDialect,
  type HostEvent,
  type HostSession,
  NO_ANSWER,
  TOAST_VARIANTS,
  type Toast,
} from "../../core/host.ts";
import { asFields, asList, asText, type JsonFields } from "../agents/json.ts";
import { eventOf, usageOf } from "./opencode/agent-events.ts";

/** What the plugin tells the program, as one line; its input stays open until OpenCode or the plugin ends. */
export interface PluginPayload {
  session: Pick<HostSession, "id" | "cwd">;
  event: HostEvent;
  arrivedMs: number;
}

/** OpenCode, whose plugin is ours: both sides of the pipe speak of events and answers as we know them. */
export const opencodeHost: HostDialect = {
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

/** What the program printed; null: no answer of ours. Nothing printed is an answer too. */
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
