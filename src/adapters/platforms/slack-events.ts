import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "../../core/platform.ts";
import { readSlackEvent, type SlackEvent } from "../../core/schema/chat-events.ts";

/** The variable that holds what Slack signs its requests with. */
export const SLACK_SECRET = "SLACK_SIGNING_SECRET";

/** A request of Slack's Events API, as it came. */
export interface SlackRequest {
  /** The body, byte by byte: the signature is over it. */
  body: string;
  timestamp: string | undefined;
  signature: string | undefined;
}

interface SlackListening {
  secret: string;
  /** Where people may talk to Ralph; null: wherever the bot is. */
  channels: readonly string[] | null;
  nowMs: number;
}

export type SlackHeard =
  | { is: "challenge"; challenge: string }
  | { is: "message"; message: IncomingMessage }
  /** Taken, and nothing to do: Slack wants a 200, or it sends the event again. */
  | { is: "ignored"; why: string }
  /** Not from Slack, as far as anybody can tell. */
  | { is: "refused"; why: string };

const WINDOW_S = 300;

/** Reads a request of Slack's, once its signature holds. */
export function hearSlack(request: SlackRequest, { secret, channels, nowMs }: SlackListening): SlackHeard {
  const why = wrongIn(request, secret, nowMs);
  if (why !== null) return { is: "refused", why };
  const event = readSlackEvent(request.body);
  if (!event) return { is: "ignored", why: "an event of another kind" };
  if (event.type === "url_verification") return { is: "challenge", challenge: event.challenge };
  return messageOf(event, channels);
}

function wrongIn({ body, timestamp, signature }: SlackRequest, secret: string, nowMs: number): string | null {
  if (!timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return "no signature";
  // An old request that somebody has recorded is none any more.
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > WINDOW_S) return "signed too long ago, or the clock is wrong";
  const right = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;
  return isSame(right, signature) ? null : `the signature does not fit ${SLACK_SECRET}`;
}

/** Takes as long whatever the difference is. */
function isSame(right: string, given: string): boolean {
  const [a, b] = [Buffer.from(right), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

type Callback = Extract<SlackEvent, { type: "event_callback" }>;

/** Words to the bot: a mention in a channel, or anything that is said to it alone. */
function messageOf({ event, authorizations }: Callback, channels: readonly string[] | null): SlackHeard {
  const { type, subtype, channel, channel_type, user, bot_id, text, ts, thread_ts } = event;
  const isToUs = type === "app_mention" || (type === "message" && channel_type === "im");
  if (!isToUs || !channel || !ts || text === undefined) return { is: "ignored", why: "not said to the bot" };
  if (subtype !== undefined) return { is: "ignored", why: `${subtype} is no new message` };
  const own = (authorizations ?? []).some((one) => user !== undefined && one.user_id === user);
  if (bot_id || own) return { is: "ignored", why: "said by a bot" };
  if (channels && !channels.includes(channel))
    return { is: "ignored", why: `channel ${channel} is not in platforms.slack.channels` };
  // What is said to the bot alone is one conversation unless it is said in a thread.
  const thread = thread_ts ?? (type === "app_mention" ? ts : undefined);
  const conversation = thread === undefined ? channel : `${channel}:${thread}`;
  // Slack names a message by its channel and time; deliveries of the same one have events of different names.
  const message = { platform: "slack", conversation, text: plainText(text), externalId: `${channel}:${ts}` };
  return message.text === "" ? { is: "ignored", why: "nothing was said" } : { is: "message", message };
}

/** Without the name of the bot before it, and with Slack's links and signs as people wrote them. */
const plainText = (text: string): string =>
  text
    .replace(/^(\s*<@[A-Z0-9]+(\|[^>]*)?>[:,]?\s*)+/, "")
    .replace(/<((?:https?|mailto):[^|>]+)(?:\|[^>]*)?>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
