import * as z from "zod";
import { component, operation } from "./api.ts";
import { conversationId, moment, next, pageQuery, platformName } from "./api-atoms.ts";
import { messageText, runStarted } from "./api-workflows.ts";
import { expected, strict } from "./messages.ts";

const tag = "conversations";

/** Sent by the validation of workflows. */
export const sendTestMessage = operation({
  id: "sendTestMessage",
  method: "POST",
  path: "/test/message",
  tag,
  summary: "Send a message to a conversation: a workflow's name or trigger starts it; `status` and `cancel` work too",
  body: component(
    "TestMessage",
    "A message of a user.",
    strict({ conversationId, message: messageText }, "{ conversationId, message }"),
  ),
  status: 202,
  answer: runStarted,
});

const role = z.enum(["user", "assistant", "system"]).describe("`system`: from Ralph itself");

export const listTestMessages = operation({
  id: "listTestMessages",
  path: "/test/messages/{conversationId}",
  tag,
  summary: "List the messages of a conversation from the beginning",
  params: { conversationId },
  query: pageQuery,
  answer: component(
    "TestMessages",
    "The messages of a conversation in their order.",
    z.object({ conversationId: z.string(), messages: z.array(z.object({ role, content: z.string(), at: moment })) }),
  ),
});

export const listMessages = operation({
  id: "listMessages",
  path: "/api/conversations/{platform}/{conversation}/messages",
  tag,
  summary: "List the messages of a conversation of any platform, in pages",
  params: { platform: platformName, conversation: conversationId },
  query: pageQuery,
  answer: component(
    "Messages",
    "A page of a conversation.",
    z.object({
      messages: z.array(z.object({ id: z.int(), role, content: z.string(), at: moment, run: z.string().nullable() })),
      next,
    }),
  ),
});

const WEBHOOK_ID = "the sender's id of the message: a duplicate is ignored";

export const sendWebhookMessage = operation({
  id: "sendWebhookMessage",
  method: "POST",
  path: "/webhook/message",
  tag,
  summary: "Send a message to a conversation whose answers go to `platforms.webhook.url`",
  body: component(
    "WebhookMessage",
    "A message from a webhook.",
    strict(
      {
        conversationId,
        message: messageText,
        messageId: z.string(expected("text")).min(1, expected("text")).max(200).optional().describe(WEBHOOK_ID),
      },
      "{ conversationId, message }",
    ),
  ),
  status: 202,
  answer: runStarted,
});

export const receiveSlackEvent = operation({
  id: "receiveSlackEvent",
  method: "POST",
  path: "/slack/events",
  tag,
  summary: "Receive an event of Slack's Events API, signed by Slack",
  access: "signed",
  answer: { media: "application/json", description: "accepted" },
});
