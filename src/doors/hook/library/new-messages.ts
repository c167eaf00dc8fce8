import { createHash } from "node:crypto";
import type { AgentEvent } from "../../../core/agent.ts";
import type { PlainMessage } from "./message.ts";

/** The messages that existed before the last prompt, by which new ones are recognized. */
export interface SeenMessages {
  count: number;
  digest: string;
}

export const seenIn = (messages: readonly PlainMessage[]): SeenMessages => ({
  count: messages.length,
  digest: digestOf(messages),
});

export interface HeardMessages {
  /** What the assistant has said since the last prompt. */
  texts: readonly string[];
  /** Whether it has a prompt that it has not answered yet. */
  isWaiting: boolean;
  /** Whether nothing at all was added since the last prompt was given. */
  isUnchanged: boolean;
}

/**
 * Only what came after the last message of a user, and since the last prompt, counts: an old claim never ends a loop.
 * Some hosts list no messages of users, and some give the same list in other words: then all that they list is new.
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

/** Whether a prompt is among the messages of users; null: there are none to look at. */
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
