import { listMessages, listTestMessages, sendTestMessage } from "../../../core/schema/api-conversations.ts";
import { HTTP } from "../http-platform.ts";
import { type Route, route } from "../route.ts";

const momentOf = (atMs: number): string => new Date(atMs).toISOString();

/** Conversations: what is said, and what is answered. */
export const conversationRoutes: readonly Route[] = [
  route(sendTestMessage, async ({ context: { dispatcher }, body }) => {
    const incoming = { platform: HTTP, conversation: body.conversationId, text: body.message };
    const { conversationId, runId } = await dispatcher.hear(incoming);
    return { conversationId, runId };
  }),
  route(listTestMessages, async ({ context: { workspace }, params: { conversationId }, query }) => {
    const messages = await workspace.runs.messages({ platform: HTTP, id: conversationId }, query);
    return {
      conversationId,
      messages: messages.map(({ role, content, atMs }) => ({ role, content, at: momentOf(atMs) })),
    };
  }),
  route(
    listMessages,
    async ({ context: { workspace }, params: { platform, conversation }, query: { after, limit } }) => {
      const found = await workspace.runs.messages({ platform, id: conversation }, { after, limit: limit + 1 });
      const shown = found.slice(0, limit);
      return {
        messages: shown.map(({ atMs, ...message }) => ({ ...message, at: momentOf(atMs) })),
        next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
      };
    },
  ),
];
