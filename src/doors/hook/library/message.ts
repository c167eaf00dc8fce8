import { readClaim } from "../../../core/claim/message.ts";
import { presets } from "../../../core/claim/policy.ts";
import { fieldOf } from "../../../core/field.ts";
import type { SessionMessage } from "./contract.ts";

export interface PlainMessage {
  role?: string | undefined;
  content?: string | undefined;
}

/** The messages that a host lists. Invalid items are skipped; a message without text has only a role. */
export function messagesIn(told: readonly unknown[]): PlainMessage[] {
  if (!Array.isArray(told)) throw new Error("getMessages did not return a list");
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

/** Whether a text, read as one assistant message, claims completion. Only mentioning the tag is not a claim. */
export const detectCompletionPromise = (text: string, promise: string): boolean =>
  readClaim(text, presets.hook(promise)).claim !== null;

/** Whether any message of the assistant among these claims completion. */
export async function detectInMessages(messages: readonly SessionMessage[], promise: string): Promise<boolean> {
  return messagesIn(messages).some(
    ({ role, content }) => role === "assistant" && detectCompletionPromise(content ?? "", promise),
  );
}
