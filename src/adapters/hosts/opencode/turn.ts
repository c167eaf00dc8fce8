import type { AgentEvent } from "../../../core/agent.ts";
import { faultFor } from "../../agents/fault.ts";
import { asFields, asList, asText, type JsonFields } from "../../agents/json.ts";
import { opencode, opencodeError, opencodeTool, opencodeUsage } from "../../agents/opencode.ts";

/** What the messages of an idle session show. */
export type TurnReading =
  /** The turn is not finished or not completely recorded: another idle event follows. */
  { is: "unfinished" } | { is: "aborted" } | { is: "ended"; turn: EndedTurn };

export interface EndedTurn {
  last: string;
  events: AgentEvent[];
  asked: PromptTarget;
}

/** The agent and model that a prompt was for. */
export type PromptTarget = { agent?: string; model?: { providerID: string; modelID: string } };

const ABORTED = ["MessageAbortedError", "AbortError"];

/** Whether an error is an abort by the user. */
export const isAbort = (error: unknown): boolean => ABORTED.includes(asText(asFields(error).name));

type Message = { info: JsonFields; parts: readonly JsonFields[] };

/**
 * Reads the ended turn from a session's messages, oldest first. Text counts only after the last prompt; usage counts
 * since `told`, the last message of the previous turn.
 */
export function readTurn(data: unknown, told: string | null, nowMs: number): TurnReading {
  const messages = asList(data).map(messageOf);
  const last = messages.at(-1)?.info ?? {};
  const isWritten = last.role === "assistant" && asFields(last.time).completed !== undefined;
  if (!isWritten) return { is: "unfinished" };
  // An abort between two attempts at the same request leaves neither an error nor a finish reason.
  if (isAbort(last.error) || (last.error === undefined && last.finish === undefined)) return { is: "aborted" };
  const asked = messages.findLastIndex(({ info }) => info.role === "user");
  const before = messages.findIndex(({ info }) => info.id === told);
  const events = [
    ...messages.slice((before < 0 ? asked : Math.min(before, asked)) + 1).flatMap(({ info }) => usageIn(info)),
    ...messages.slice(asked + 1).flatMap(saidIn),
    ...modelIn(last),
    endOf(last, nowMs),
  ];
  return { is: "ended", turn: { last: asText(last.id), events, asked: askedIn(messages[asked]?.info ?? {}) } };
}

/** Whether the messages include the last prompt; without it, the turn is incomplete. */
export const isWhole = (data: unknown): boolean => asList(data).some((one) => messageOf(one).info.role === "user");

const messageOf = (one: unknown): Message => {
  const { info, parts } = asFields(one);
  return { info: asFields(info), parts: asList(parts).map(asFields) };
};

const usageIn = (info: JsonFields): AgentEvent[] =>
  info.role === "assistant" ? [{ type: "usage.reported", usage: opencodeUsage(info), of: "step" }] : [];

/** A summary repeats earlier messages, so its text does not count. */
function saidIn({ info, parts }: Message): AgentEvent[] {
  if (info.role !== "assistant" || info.summary === true) return [];
  return parts.flatMap((part): AgentEvent[] => {
    if (part.type === "tool") return opencodeTool(part);
    if (part.type !== "text" || part.synthetic === true) return [];
    return [{ type: "text.said", text: asText(part.text) }, { type: "message.ended" }];
  });
}

function modelIn({ sessionID, providerID, modelID }: JsonFields): AgentEvent[] {
  if (asText(modelID) === "") return [];
  return [{ type: "session.opened", sessionId: asText(sessionID), model: `${asText(providerID)}/${asText(modelID)}` }];
}

function endOf({ error }: JsonFields, nowMs: number): AgentEvent {
  if (error === undefined) return { type: "turn.succeeded" };
  return { type: "turn.failed", fault: faultFor(opencodeError(asFields(error)), opencode.login, nowMs) };
}

function askedIn({ agent, model }: JsonFields): PromptTarget {
  const { providerID, modelID } = asFields(model);
  return {
    ...(asText(agent) === "" ? {} : { agent: asText(agent) }),
    ...(asText(modelID) === "" ? {} : { model: { providerID: asText(providerID), modelID: asText(modelID) } }),
  };
}
