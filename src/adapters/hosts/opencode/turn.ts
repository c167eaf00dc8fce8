import type { AgentEvent } from "../../../core/agent.ts";
import { faultFor } from "../../agents/fault.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../../agents/json.ts";
import { OPENCODE_LOGIN, opencodeError, opencodeTool, opencodeUsage } from "../../agents/opencode.ts";

/** What the messages of an idle session show. */
export type TurnReading =
  /** The turn is not finished, or not completely recorded: another idle follows. */
  | { is: "unfinished" }
  /** A person has cut it short. */
  | { is: "aborted" }
  | { is: "ended"; turn: EndedTurn };

export interface EndedTurn {
  /** The message that it ended with. */
  last: string;
  events: AgentEvent[];
  /** The agent and model to continue with. */
  asked: PromptTarget;
}

/** The agent, and the model behind it, that a prompt was for. */
export interface PromptTarget {
  agent?: string;
  model?: { providerID: string; modelID: string };
}

const ABORTED = ["MessageAbortedError", "AbortError"];

/** Whether an error is a person's doing. */
export const isAbort = (error: unknown): boolean => ABORTED.includes(textOf(fieldsOf(error).name));

interface Message {
  info: Fields;
  parts: readonly Fields[];
}

/**
 * Reads the turn that has ended, from a session's messages, oldest first. Words count only after the last thing that
 * anybody said to the agent; what was used counts since `told`, the message that the turn before ended with.
 */
export function readTurn(data: unknown, told: string | null, nowMs: number): TurnReading {
  const messages = listOf(data).map(messageOf);
  const last = messages.at(-1)?.info ?? {};
  const isWritten = last.role === "assistant" && fieldsOf(last.time).completed !== undefined;
  if (!isWritten) return { is: "unfinished" };
  // An abort between two attempts at the same request leaves neither an error nor a reason why it finished.
  if (isAbort(last.error) || (last.error === undefined && last.finish === undefined)) return { is: "aborted" };
  const asked = messages.findLastIndex(({ info }) => info.role === "user");
  const before = messages.findIndex(({ info }) => info.id === told);
  const events = [
    ...messages.slice((before < 0 ? asked : Math.min(before, asked)) + 1).flatMap(({ info }) => usageIn(info)),
    ...messages.slice(asked + 1).flatMap(saidIn),
    ...modelIn(last),
    endOf(last, nowMs),
  ];
  return { is: "ended", turn: { last: textOf(last.id), events, asked: askedIn(messages[asked]?.info ?? {}) } };
}

/** Whether the last thing that was said to the agent is among the messages: with fewer, the turn is not whole. */
export const isWhole = (data: unknown): boolean => listOf(data).some((one) => messageOf(one).info.role === "user");

const messageOf = (one: unknown): Message => {
  const { info, parts } = fieldsOf(one);
  return { info: fieldsOf(info), parts: listOf(parts).map(fieldsOf) };
};

const usageIn = (info: Fields): AgentEvent[] =>
  info.role === "assistant" ? [{ type: "usage.reported", usage: opencodeUsage(info), of: "step" }] : [];

/** A summary is made of what was said before: no word in it is said now. */
function saidIn({ info, parts }: Message): AgentEvent[] {
  if (info.role !== "assistant" || info.summary === true) return [];
  return parts.flatMap((part): AgentEvent[] => {
    if (part.type === "tool") return opencodeTool(part);
    if (part.type !== "text" || part.synthetic === true) return [];
    return [{ type: "text.said", text: textOf(part.text) }, { type: "message.ended" }];
  });
}

function modelIn({ sessionID, providerID, modelID }: Fields): AgentEvent[] {
  if (textOf(modelID) === "") return [];
  return [{ type: "session.opened", sessionId: textOf(sessionID), model: `${textOf(providerID)}/${textOf(modelID)}` }];
}

function endOf({ error }: Fields, nowMs: number): AgentEvent {
  if (error === undefined) return { type: "turn.succeeded" };
  return { type: "turn.failed", fault: faultFor(opencodeError(fieldsOf(error)), OPENCODE_LOGIN, nowMs) };
}

function askedIn({ agent, model }: Fields): PromptTarget {
  const { providerID, modelID } = fieldsOf(model);
  return {
    ...(textOf(agent) === "" ? {} : { agent: textOf(agent) }),
    ...(textOf(modelID) === "" ? {} : { model: { providerID: textOf(providerID), modelID: textOf(modelID) } }),
  };
}
