import { component, operation } from "../../core/schema/api.ts";
import { conversationId } from "../../core/schema/api-atoms.ts";
import { messageText, runStarted } from "../../core/schema/api-workflows.ts";
import { strict } from "../../core/schema/messages.ts";
import type { Platform } from "./platform.ts";

const message = strict({ conversationId, message: messageText }, "{ conversationId, message }");

/** Conversations over the server's own HTTP interface: clients read the answers from it. */
export const http: Platform = {
  settings: null,
  secrets: {},
  operation: operation({
    id: "sendTestMessage",
    method: "POST",
    path: "/test/message",
    tag: "conversations",
    summary: "Send a message to a conversation: a workflow's name or trigger starts it; `status` and `cancel` work too",
    body: component("TestMessage", "A message of a user.", message),
    status: 202,
    answer: runStarted,
  }),
  open: () => ({
    outbound: null,
    inbound: {
      by: "request",
      async receive({ body }, accept) {
        const { conversationId: conversation, message: text } = message.parse(body);
        const { conversationId, runId } = await accept({ conversation, text });
        return { conversationId, runId };
      },
    },
  }),
};
