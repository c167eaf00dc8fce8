import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { RalphError } from "../../core/errors.ts";
import { uncalled } from "../../core/escape-mentions.ts";
import type { AcceptMessage, InboundRequest, OutgoingMessage, PlatformMessage, Sent } from "../../core/platform.ts";
import { operation } from "../../core/schema/api.ts";
import { listSchema, text } from "../../core/schema/atoms.ts";
import { describe } from "../../core/schema/messages.ts";
import { apiUrl, platformFields, readJsonText, streamingMode } from "../../core/schema/platform-fields.ts";
import { type Answered, postForAnswer } from "../io/post.ts";
import { definePlatform, sendFailure, sendResult } from "./platform.ts";

const API = "https://slack.com/api";
const ANSWER_MS = 10_000;
const ANSWER_BYTES = 256 << 10;
/** Slack advises 4,000; escaping makes a text longer. */
const MAX_CHARS = 3_000;

const channelId = text.regex(/^[A-Z0-9]+$/, {
  error: ({ input }) => `expected the id of a channel, such as C0123456789, got ${describe(input)}`,
});

const settings = platformFields(
  {
    baseUrl: apiUrl("The base URL of Slack's API.", API),
    mode: streamingMode("batch"),
    channels: listSchema(channelId, "ids of channels")
      .describe("Channels in which users may talk to Ralph; by default all that the bot is in.")
      .optional(),
  },
  "{ channels }",
  "SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET",
).describe("Conversations in Slack threads.");

/** Conversations in channels, threads and direct messages of Slack, which sends signed events. */
export const slack = definePlatform({
  settings,
  secrets: {
    SLACK_BOT_TOKEN: "the bot token of the app, under OAuth & Permissions",
    SLACK_SIGNING_SECRET: "the signing secret of the app, under Basic Information",
  },
  operation: operation({
    id: "receiveSlackEvent",
    method: "POST",
    path: "/slack/events",
    tag: "conversations",
    summary: "Receive an event of Slack's Events API, signed by Slack",
    access: { header: "X-Slack-Signature", description: "Slack's own signature" },
    answer: { media: "application/json", description: "accepted" },
  }),
  open({ baseUrl = API, mode = "batch", channels = null }, secrets) {
    const secret = secrets.require("SLACK_SIGNING_SECRET");
    const token = secrets.require("SLACK_BOT_TOKEN");
    return {
      outbound: {
        mode,
        maxChars: MAX_CHARS,
        async send(message, quit) {
          const [channel = "", thread] = message.conversation.split(":");
          const json = {
            channel,
            ...(thread ? { thread_ts: thread } : {}),
            text: escaped(message),
            // Links in an agent's text are not fetched, and names in it do not mention anyone.
            unfurl_links: false,
            unfurl_media: false,
            link_names: false,
          };
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" };
          const url = `${baseUrl}/chat.postMessage`;
          return resultOf(await postForAnswer({ url, json, headers, timeoutMs: ANSWER_MS, quit }, ANSWER_BYTES));
        },
      },
      inbound: {
        by: "request",
        receive: (request, accept) =>
          receive(readSlackRequest(request, { secret, channels, nowMs: Date.now() }), accept),
      },
    };
  },
});

/** Escapes Slack's markup; Ralph's own bold text stays bold. */
function escaped({ content, role }: OutgoingMessage): string {
  const text = uncalled(content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
  return role === "system" ? text.replace(/\*\*([^*\n]+)\*\*/g, "*$1*") : text;
}

const RETRYABLE = new Set([
  "ratelimited",
  "rate_limited",
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
]);
const FIXES: Readonly<Record<string, string>> = {
  invalid_auth: "SLACK_BOT_TOKEN is not accepted",
  not_authed: "SLACK_BOT_TOKEN is not accepted",
  token_revoked: "SLACK_BOT_TOKEN is not accepted any more",
  missing_scope: "the app needs the scope chat:write",
  not_in_channel: "invite the bot into the channel",
  channel_not_found: "invite the bot into the channel",
};

const slackAnswer = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

function resultOf(answered: Answered): Sent {
  if (answered.is === "failed") return answered;
  const { status, text, retryAfterMs } = answered;
  const answer = readJsonText(slackAnswer, text);
  if (answer?.ok) return { is: "sent" };
  if (!answer) return status === 200 ? sendFailure("the answer is not Slack's", false, null) : sendResult(answered);
  const error = answer.error ?? `HTTP ${status}`;
  const fix = Object.hasOwn(FIXES, error) ? `: ${FIXES[error]}` : "";
  const again = RETRYABLE.has(error) || status === 429 || status >= 500;
  return sendFailure(`Slack answered ${error}${fix}`, again, retryAfterMs);
}

/**
 * Slack retries unless it is answered in three seconds. By then the message is durable, but its run is not finished.
 */
async function receive(read: SlackRequest, accept: AcceptMessage): Promise<unknown> {
  switch (read.is) {
    case "refused":
      throw new RalphError("signature-refused", read.why, { hint: "check SLACK_SIGNING_SECRET and the clock" });
    case "challenge":
      return { challenge: read.challenge };
    case "ignored":
      return { ok: true, ignored: read.why };
    case "message":
      await accept(read.message);
      return { ok: true };
  }
}

const id = z.string().regex(/^[A-Z0-9]{1,40}$/);
const timestamp = z.string().regex(/^[\d.]{1,40}$/);
const callback = z.looseObject({
  type: z.literal("event_callback"),
  event: z.looseObject({
    type: z.string(),
    subtype: z.string().optional(),
    channel: id.optional(),
    channel_type: z.string().optional(),
    user: z.string().optional(),
    bot_id: z.string().nullish(),
    text: z.string().optional(),
    ts: timestamp.optional(),
    thread_ts: timestamp.optional(),
  }),
  authorizations: z.array(z.looseObject({ user_id: z.string().nullish() })).nullish(),
});
const slackEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("url_verification"), challenge: z.string().max(1_000) }),
  callback,
]);

type SlackRequest =
  | { is: "challenge"; challenge: string }
  | { is: "message"; message: PlatformMessage }
  /** Valid, but nothing to do: without a 200, Slack sends the event again. */
  | { is: "ignored"; why: string }
  | { is: "refused"; why: string };

interface SlackCheck {
  secret: string;
  /** The channels in which users may talk to Ralph; null for all that the bot is in. */
  channels: readonly string[] | null;
  nowMs: number;
}

const WINDOW_S = 300;

/** Verifies the signature of a request from Slack, then reads it. */
export function readSlackRequest(
  request: Pick<InboundRequest, "text" | "header">,
  { secret, channels, nowMs }: SlackCheck,
): SlackRequest {
  const why = signatureFault(request, secret, nowMs);
  if (why !== null) return { is: "refused", why };
  const event = readJsonText(slackEvent, request.text);
  if (!event) return { is: "ignored", why: "an event of another kind" };
  if (event.type === "url_verification") return { is: "challenge", challenge: event.challenge };
  return messageIn(event, channels);
}

function signatureFault(
  { text, header }: Pick<InboundRequest, "text" | "header">,
  secret: string,
  nowMs: number,
): string | null {
  const [at, given] = [header("x-slack-request-timestamp"), header("x-slack-signature")];
  if (!at || !given || !/^\d{1,12}$/.test(at)) return "no signature";
  // A recorded request must not be replayed later.
  if (Math.abs(nowMs / 1_000 - Number(at)) > WINDOW_S) return "signed too long ago, or the clock is wrong";
  const right = `v0=${createHmac("sha256", secret).update(`v0:${at}:${text}`).digest("hex")}`;
  return isEqual(right, given) ? null : "the signature does not match SLACK_SIGNING_SECRET";
}

function isEqual(right: string, given: string): boolean {
  const [a, b] = [Buffer.from(right), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Messages to the bot: a mention in a channel, or any direct message. */
function messageIn(
  { event, authorizations }: z.infer<typeof callback>,
  channels: SlackCheck["channels"],
): SlackRequest {
  const { type, subtype, channel, channel_type, user, bot_id, text, ts, thread_ts } = event;
  const isToBot = type === "app_mention" || (type === "message" && channel_type === "im");
  if (!isToBot || !channel || !ts || text === undefined) return { is: "ignored", why: "not addressed to the bot" };
  if (subtype !== undefined) return { is: "ignored", why: `${subtype} is not a new message` };
  const own = (authorizations ?? []).some((one) => user !== undefined && one.user_id === user);
  if (bot_id || own) return { is: "ignored", why: "written by a bot" };
  if (channels && !channels.includes(channel))
    return { is: "ignored", why: `channel ${channel} is not in platforms.slack.channels` };
  // Direct messages are one conversation, except those in a thread.
  const thread = thread_ts ?? (type === "app_mention" ? ts : undefined);
  const conversation = thread === undefined ? channel : `${channel}:${thread}`;
  // A message is identified by channel and time; deliveries of the same one have different event ids.
  const message = { conversation, text: plainText(text), externalId: `${channel}:${ts}` };
  return message.text === "" ? { is: "ignored", why: "an empty message" } : { is: "message", message };
}

/** Removes the bot's mention in front and decodes Slack's links and escapes. */
const plainText = (text: string): string =>
  text
    .replace(/^(\s*<@[A-Z0-9]+(\|[^>]*)?>[:,]?\s*)+/, "")
    .replace(/<((?:https?|mailto):[^|>]+)(?:\|[^>]*)?>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
