import { createHmac } from "node:crypto";
import * as z from "zod";
import { component, operation } from "../../core/schema/api.ts";
import { conversationId } from "../../core/schema/api-atoms.ts";
import { messageText, runStarted } from "../../core/schema/api-workflows.ts";
import { expected, strict } from "../../core/schema/messages.ts";
import { platformFields, streamingMode } from "../../core/schema/platform-fields.ts";
import { postForAnswer } from "../io/post.ts";
import { definePlatform, sendResult } from "./platform.ts";

const ANSWER_MS = 10_000;
const ANSWER_BYTES = 1 << 10;
/** Longer than any recorded message, so none is split. */
const MAX_CHARS = 1_000_000;

const settings = platformFields(
  {
    url: z.url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" }).meta({
      description: "The URL that every message of these conversations is posted to, as JSON.",
      pattern: "^https?://",
    }),
    mode: streamingMode("stream"),
  },
  "{ url }",
  "RALPH_WEBHOOK_SECRET",
).describe("Conversations of a program of your own, which receives every message as a POST.");

const incoming = strict(
  {
    conversationId,
    message: messageText,
    messageId: z
      .string(expected("text"))
      .min(1, expected("text"))
      .max(200)
      .optional()
      .describe("the sender's own id of the message: a second delivery is ignored"),
  },
  "{ conversationId, message }",
);

/** Conversations with the user's own program: each message is posted to its URL, signed if there is a secret. */
export const webhook = definePlatform({
  settings,
  secrets: { RALPH_WEBHOOK_SECRET: "any long random text" },
  operation: operation({
    id: "sendWebhookMessage",
    method: "POST",
    path: "/webhook/message",
    tag: "conversations",
    summary: "Send a message to a conversation whose answers go to `platforms.webhook.url`",
    body: component("WebhookMessage", "A message from a webhook.", incoming),
    status: 202,
    answer: runStarted,
  }),
  open({ url, mode = "stream" }, secrets) {
    const secret = secrets.find("RALPH_WEBHOOK_SECRET");
    return {
      outbound: {
        mode,
        maxChars: MAX_CHARS,
        async send({ conversation, run, role, content, atMs }, quit) {
          const at = new Date(atMs).toISOString();
          const json = { conversationId: conversation, runId: run, role, content, at };
          const headers = secret === null ? {} : { "x-ralph-signature": signatureOf(JSON.stringify(json), secret) };
          return sendResult(await postForAnswer({ url, json, headers, timeoutMs: ANSWER_MS, quit }, ANSWER_BYTES));
        },
      },
      inbound: {
        by: "request",
        async receive({ body }, accept) {
          const { conversationId: conversation, message: text, messageId } = incoming.parse(body);
          const external = messageId ? { externalId: messageId } : {};
          const { conversationId, runId } = await accept({ conversation, text, ...external });
          return { conversationId, runId };
        },
      },
    };
  },
});

/** Computed from the exact body that is sent. */
const signatureOf = (body: string, secret: string): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
