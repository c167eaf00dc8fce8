import { readClaim } from "../../../core/claim/message.ts";
import { presets } from "../../../core/claim/policy.ts";
import { fieldOf } from "../../../core/field.ts";
import type { SessionMessage } from "./contract.ts";

export interface PlainMessage {
  role?: string | undefined;
  content?: string | undefined;
}

/** The messages that a host lists. What is none is passed over; of one without a text only its role is known. */
export function messagesIn(told: readonly unknown[]): PlainMessage[] {
  if (!Array.isArray(told)) throw new Error("what should be the messages of a session is no list");
  return told
    .filter((message) => typeof message === "object" && message !== null)
    .map((message) => {
      const role = fieldOf(message, "role");
      return { role: typeof role === "string" ? role : undefined, content: contentText(fieldOf(message, "content")) };
    });
}

export function contentText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const parts: unknown[] = content;
  return parts
    .filter((part) => fieldOf(part, "type") === "text")
    .map((part) => String(fieldOf(part, "text") ?? ""))
    .join("");
}

/** Whether a text, taken as one message of the assistant, claims completion. What only mentions the tag does not. */
export const detectCompletionPromise = (text: string, promise: string): boolean =>
  readClaim(text, presets.hook(promise)).claim !== null;

/** Whether any message of the assistant among these claims completion. */
export async function detectInMessages(messages: readonly SessionMessage[], promise: string): Promise<boolean> {
  return messagesIn(messages).some(
    ({ role, content }) => role === "assistant" && detectCompletionPromise(content ?? "", promise),
  );
}
