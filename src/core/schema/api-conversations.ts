import * as z from "zod";
import { component, operation } from "./api.ts";
import { conversationId, moment, next, pageQuery, platformName } from "./api-atoms.ts";

const tag = "conversations";

const role = z.enum(["user", "assistant", "system"]).describe("`system`: Ralph's own messages");

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
