import { textAt } from "../../../adapters/io/look.ts";
import { fieldOf } from "../../../core/field.ts";
import { jsonIn } from "../../../core/json-text.ts";
import { contentText, detectCompletionPromise, type PlainMessage } from "./message.ts";

/**
 * Whether the assistant claims completion in a transcript: a file with a JSON message on each line, as Claude Code and
 * others write it. Only the assistant's text counts. A file without such messages is read as one assistant message.
 * A file that cannot be read claims nothing.
 */
export function detectInTranscript(path: string | undefined, promise: string): boolean {
  if (!path) return false;
  const content = textAt(path, Number.POSITIVE_INFINITY);
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const messages = lines.map(messageIn);
  if (!messages.some((message) => message !== null)) return detectCompletionPromise(content, promise);
  return messages.some(
    (message) => message?.role === "assistant" && detectCompletionPromise(message.content ?? "", promise),
  );
}

/** `{type, message: {role, content}}` of Claude Code, or `{role, content}`; null if the line is not a message. */
function messageIn(line: string): PlainMessage | null {
  const entry = jsonIn(line);
  const inner = fieldOf(entry, "message");
  const message = typeof inner === "object" && inner !== null ? inner : entry;
  const role = fieldOf(message, "role") ?? fieldOf(entry, "type");
  return typeof role === "string" ? { role, content: contentText(fieldOf(message, "content")) } : null;
}
