import * as z from "zod";
import { component, operation } from "./api.ts";
import { conversationId, moment, next, pageQuery, platformName } from "./api-atoms.ts";
import { messageText, runStarted } from "./api-workflows.ts";
import { strict } from "./messages.ts";

const tag = "conversations";

/** What the validation of workflows sends. */
export const sendTestMessage = operation({
  id: "sendTestMessage",
  method: "POST",
  path: "/test/message",
  tag,
  summary: "Says something in a conversation: a workflow's name or trigger starts it, `status` and `cancel` are understood",
  body: component(
    "TestMessage",
    "A message of a user.",
    strict({ conversationId, message: messageText }, "{ conversationId, message }"),
  ),
  status: 202,
  answer: runStarted,
});

const role = z.enum(["user", "assistant", "system"]).describe("`system`: what Ralph says of itself");

export const listTestMessages = operation({
  id: "listTestMessages",
  path: "/test/messages/{conversationId}",
  tag,
  summary: "What was said in a conversation, from the beginning",
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
  summary: "What was said in a conversation of any platform, in pages",
  params: { platform: platformName, conversation: conversationId },
  query: pageQuery,
  answer: component(
    "Messages",
    "A page of a conversation.",
    z.object({
      messages: z.array(
        z.object({ id: z.int(), role, content: z.string(), at: moment, run: z.string().nullable() }),
      ),
      next,
    }),
  ),
});
