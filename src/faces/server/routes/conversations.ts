import type { Platform } from "../../../adapters/platforms/platform.ts";
import { HTTP, PLATFORMS } from "../../../adapters/platforms/platforms.ts";
import { listMessages, listTestMessages } from "../../../core/schema/api-conversations.ts";
import { type Route, type RouteRequest, route } from "../route.ts";

const momentOf = (atMs: number): string => new Date(atMs).toISOString();

export const conversationRoutes: readonly Route[] = [
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

/** The routes of platforms that send requests: one for each operation that a platform defines. */
export const platformRoutes = (platforms: Readonly<Record<string, Platform>> = PLATFORMS): readonly Route[] =>
  Object.entries(platforms).flatMap(([name, { operation }]) =>
    operation
      ? [
          {
            operation,
            async handle({ context: { chat }, body, text, headers }: RouteRequest) {
              return chat.receive(name, { body, text, header: (key) => headers.get(key) });
            },
          },
        ]
      : [],
  );
