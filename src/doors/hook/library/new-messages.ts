import { createHash } from "node:crypto";
import type { AgentEvent } from "../../../core/agent.ts";
import type { PlainMessage } from "./message.ts";

/** Identifies the messages before the last prompt, to recognize new ones. */
export interface SeenMessages {
  count: number;
  digest: string;
}

export const seenIn = (messages: readonly PlainMessage[]): SeenMessages => ({
  count: messages.length,
  digest: digestOf(messages),
});

export interface HeardMessages {
  /** The assistant's messages since the last prompt. */
  texts: readonly string[];
  /** Whether it has a prompt that it has not answered yet. */
  isWaiting: boolean;
  /** Whether no message was added since the last prompt. */
  isUnchanged: boolean;
}

/**
 * Only messages since the last prompt and after the last user message count: an old claim never ends a loop. If a host
 * changes the messages it listed before, all of them count as new; some hosts do not list user messages.
 */
export function hear(messages: readonly PlainMessage[], seen: SeenMessages | null): HeardMessages {
  const isGrown = seen !== null && digestOf(messages.slice(0, seen.count)) === seen.digest;
  const added = isGrown ? messages.slice(seen.count) : messages;
  const told = added.map(({ role }) => role).lastIndexOf("user");
  const answers = added.slice(told + 1).filter(({ role }) => role === "assistant");
  return {
    texts: answers.flatMap(({ content }) => (typeof content === "string" && content.trim() !== "" ? [content] : [])),
    isWaiting: told >= 0 && answers.length === 0,
    isUnchanged: isGrown && added.length === 0,
  };
}

/** Whether a prompt is among the user messages; null if there are none. */
export function wasTold(messages: readonly PlainMessage[], prompt: string): boolean | null {
  const users = messages.filter(({ role }) => role === "user");
  const opening = prompt.split("\n", 1)[0] ?? "";
  return users.length === 0 ? null : users.some(({ content }) => content?.includes(opening) ?? false);
}

export const saying = (texts: readonly string[]): AgentEvent[] =>
  texts.flatMap((text): AgentEvent[] => [{ type: "text.said", text }, { type: "message.ended" }]);

function digestOf(messages: readonly PlainMessage[]): string {
  const digest = createHash("sha256");
  for (const { role, content } of messages) digest.update(JSON.stringify([role, content]));
  return digest.digest("hex");
}
