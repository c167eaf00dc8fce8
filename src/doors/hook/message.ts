import { fieldOf } from "../../core/field.ts";

/** A message of a session as it was said. */
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

/** The text of a message: as it stands, or what its parts say. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const parts: unknown[] = content;
  return parts
    .filter((part) => fieldOf(part, "type") === "text")
    .map((part) => String(fieldOf(part, "text") ?? ""))
    .join("");
}
