import { receiveSlackEvent, sendWebhookMessage } from "../../../core/schema/api-conversations.ts";
import { Refusal } from "../refusal.ts";
import { type Route, route } from "../route.ts";
import type { ServerContext } from "../server-context.ts";

const WEBHOOK = "webhook";

/** What platforms send by themselves. */
export const platformRoutes: readonly Route[] = [
  route(sendWebhookMessage, async ({ context: { dispatcher, platforms }, body }) => {
    if (!platforms.includes(WEBHOOK)) throw unset("webhook", '{ "platforms": { "webhook": { "url": "https://…" } } }');
    const { conversationId: conversation, message: text, messageId } = body;
    const from = { platform: WEBHOOK, conversation, text, ...(messageId ? { externalId: messageId } : {}) };
    const { conversationId, runId } = await dispatcher.hear(from);
    return { conversationId, runId };
  }),
  route(receiveSlackEvent, async ({ context, text, headers }) => {
    if (!context.hearSlack) throw unset("slack", '{ "platforms": { "slack": {} } }');
    const heard = context.hearSlack({
      body: text,
      timestamp: headers.get("x-slack-request-timestamp") ?? undefined,
      signature: headers.get("x-slack-signature") ?? undefined,
    });
    switch (heard.is) {
      case "refused":
        throw new Refusal(401, "signature-refused", heard.why, "check SLACK_SIGNING_SECRET and the clock");
      case "challenge":
        return Response.json({ challenge: heard.challenge });
      case "message":
        return taken(context, heard.message);
      case "ignored":
        return Response.json({ ok: true, ignored: heard.why });
    }
  }),
];

/** Slack asks again unless it is answered within three seconds: the message is durable by then, its run is not done. */
async function taken(
  { dispatcher }: ServerContext,
  message: Parameters<ServerContext["dispatcher"]["hear"]>[0],
): Promise<Response> {
  await dispatcher.hear(message);
  return Response.json({ ok: true });
}

const unset = (platform: string, example: string): Refusal =>
  new Refusal(
    404,
    "platform-missing",
    `the platform ${platform} is not set up here`,
    `.ralph/settings.json: ${example}`,
  );
