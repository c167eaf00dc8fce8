import { uncalled } from "../../core/escape-mentions.ts";
import type { OutgoingMessage, Platform, Sent, StreamingMode } from "../../core/platform.ts";
import { readSlackAnswer } from "../../core/schema/chat-answers.ts";
import { type Answered, postForAnswer } from "../io/post.ts";
import { failed, sentBy } from "./sent.ts";

/** The variable that holds the token of the bot. */
export const SLACK_TOKEN = "SLACK_BOT_TOKEN";
export const SLACK_API = "https://slack.com/api";

interface SlackSetting {
  baseUrl: string;
  mode: StreamingMode;
  token: string;
}

const ANSWER_MS = 10_000;
const ANSWER_BYTES = 256 << 10;
/** Slack advises 4,000; what it shows differently grows on its way. */
const MAX_CHARS = 3_000;

/** Posts into the channel or thread that a conversation is. */
export const slack = ({ baseUrl, mode, token }: SlackSetting): Platform => ({
  name: "slack",
  mode,
  maxChars: MAX_CHARS,
  async sendMessage(message, quit) {
    const [channel = "", thread] = message.conversation.split(":");
    const json = {
      channel,
      ...(thread ? { thread_ts: thread } : {}),
      text: shown(message),
      // Nobody fetches what an agent's links name, and no name in its words is one of a person.
      unfurl_links: false,
      unfurl_media: false,
      link_names: false,
    };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" };
    const url = `${baseUrl}/chat.postMessage`;
    return sentOf(await postForAnswer({ url, json, headers, timeoutMs: ANSWER_MS, quit }, ANSWER_BYTES));
  },
});

/** Slack's own signs stand for themselves; Ralph's bold words are bold there too. */
function shown({ content, role }: OutgoingMessage): string {
  const text = uncalled(content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
  return role === "system" ? text.replace(/\*\*([^*\n]+)\*\*/g, "*$1*") : text;
}

const AGAIN = new Set([
  "ratelimited",
  "rate_limited",
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
]);
const MENDS: Readonly<Record<string, string>> = {
  invalid_auth: `${SLACK_TOKEN} is not accepted`,
  not_authed: `${SLACK_TOKEN} is not accepted`,
  token_revoked: `${SLACK_TOKEN} is not accepted any more`,
  missing_scope: "the app needs the scope chat:write",
  not_in_channel: "invite the bot into the channel",
  channel_not_found: "invite the bot into the channel",
};

function sentOf(answered: Answered): Sent {
  if (answered.is === "failed") return answered;
  const { status, text, retryAfterMs } = answered;
  const answer = readSlackAnswer(text);
  if (answer?.ok) return { is: "sent" };
  if (!answer) return status === 200 ? failed("an answer that is not Slack's", false, null) : sentBy(answered);
  const error = answer.error ?? `HTTP ${status}`;
  const mend = Object.hasOwn(MENDS, error) ? `: ${MENDS[error]}` : "";
  return failed(`Slack says ${error}${mend}`, AGAIN.has(error) || status === 429 || status >= 500, retryAfterMs);
}
