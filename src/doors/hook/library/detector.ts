import { readClaim } from "../../../core/claim/message.ts";
import { presets } from "../../../core/claim/policy.ts";
import type { SessionMessage } from "./contract.ts";
import { messagesIn } from "./message.ts";

/** Whether a text, taken as one message of the assistant, claims completion. What only mentions the tag does not. */
export const detectCompletionPromise = (text: string, promise: string): boolean =>
  readClaim(text, presets.hook(promise)).claim !== null;

/** Whether any message of the assistant among these claims completion. */
export async function detectInMessages(messages: readonly SessionMessage[], promise: string): Promise<boolean> {
  return messagesIn(messages).some(
    ({ role, content }) => role === "assistant" && detectCompletionPromise(content ?? "", promise),
  );
}
