import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { readSlackRequest } from "./slack.ts";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const NOW_S = 1_531_420_618;

const sign = (body: string, timestamp: number, secret = SECRET) =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`;

/** A request from Slack's Events API. */
function requestOf(text: string, timestamp: string | null, signature: string | null) {
  const headers: Record<string, string | null> = {
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": signature,
  };
  return { text, header: (name: string) => headers[name] ?? null };
}

function read(event: unknown, more: { channels?: string[]; at?: number; secret?: string; body?: string } = {}) {
  const sent = JSON.stringify(event);
  const at = more.at ?? NOW_S;
  return readSlackRequest(requestOf(more.body ?? sent, String(at), sign(sent, at, more.secret)), {
    secret: SECRET,
    channels: more.channels ?? null,
    nowMs: NOW_S * 1_000,
  });
}

const mention = (more: object = {}, around: object = {}) => ({
  type: "event_callback",
  event_id: "Ev1",
  event: { type: "app_mention", user: "U1", text: "<@UBOT> run ralph", ts: "17.1", channel: "C1", ...more },
  authorizations: [{ user_id: "UBOT", is_bot: true }],
  ...around,
});

test("Slack's own example of a signature is accepted", () => {
  const body =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
  const signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
  const heard = readSlackRequest(requestOf(body, "1531420618", signature), {
    secret: SECRET,
    channels: null,
    nowMs: NOW_S * 1_000,
  });
  expect(heard).toEqual({ is: "ignored", why: "an event of another kind" });
});

test.each<[string, ReturnType<typeof readSlackRequest>, string]>([
  ["another secret", read(mention(), { secret: "other" }), "the signature does not match SLACK_SIGNING_SECRET"],
  ["another body", read(mention(), { body: "{}" }), "the signature does not match SLACK_SIGNING_SECRET"],
  ["an old request", read(mention(), { at: NOW_S - 301 }), "signed too long ago, or the clock is wrong"],
  ["a request from the future", read(mention(), { at: NOW_S + 301 }), "signed too long ago, or the clock is wrong"],
  [
    "no signature",
    readSlackRequest(requestOf("{}", null, null), { secret: SECRET, channels: null, nowMs: 0 }),
    "no signature",
  ],
  [
    "a signature of another length",
    readSlackRequest(requestOf("{}", "1", "v0=é"), { secret: SECRET, channels: null, nowMs: 1_000 }),
    "the signature does not match SLACK_SIGNING_SECRET",
  ],
])("refuses %s", (_name, heard, why) => {
  expect(heard).toEqual({ is: "refused", why });
});

test("answers the challenge", () => {
  expect(read({ type: "url_verification", challenge: "abc" })).toEqual({ is: "challenge", challenge: "abc" });
});

const said = (conversation: string, text: string, externalId: string) => ({
  is: "message",
  message: { conversation, text, externalId },
});

test.each<[string, object, object]>([
  ["a mention starts a thread", mention(), said("C1:17.1", "run ralph", "C1:17.1")],
  ["a mention in a thread belongs to it", mention({ thread_ts: "16.0" }), said("C1:16.0", "run ralph", "C1:17.1")],
  [
    "direct messages are one conversation",
    mention({ type: "message", channel_type: "im", channel: "D1", text: "status" }),
    said("D1", "status", "D1:17.1"),
  ],
  [
    "escapes and links are decoded",
    mention({ text: "<@UBOT>: fix &lt;a&gt; &amp;&amp; see <https://a.invalid/x|here> &amp;lt;" }),
    said("C1:17.1", "fix <a> && see https://a.invalid/x &lt;", "C1:17.1"),
  ],
  [
    "an edit is ignored",
    mention({ subtype: "message_changed" }),
    { is: "ignored", why: "message_changed is not a new message" },
  ],
  ["a bot is ignored", mention({ bot_id: "B1" }), { is: "ignored", why: "written by a bot" }],
  ["so is the bot itself", mention({ user: "UBOT" }), { is: "ignored", why: "written by a bot" }],
  [
    "a channel message without a mention is ignored",
    mention({ type: "message", channel_type: "channel" }),
    { is: "ignored", why: "not addressed to the bot" },
  ],
  ["a mention alone is empty", mention({ text: "<@UBOT> " }), { is: "ignored", why: "an empty message" }],
  ["a channel is not a path", mention({ channel: "../x" }), { is: "ignored", why: "an event of another kind" }],
  ["an event of another kind", { type: "app_rate_limited" }, { is: "ignored", why: "an event of another kind" }],
])("%s", (_name, event, heard) => {
  expect(read(event)).toEqual(heard);
});

test("only the configured channels are accepted", () => {
  expect(read(mention(), { channels: ["C1"] }).is).toBe("message");
  expect(read(mention(), { channels: ["C2"] })).toEqual({
    is: "ignored",
    why: "channel C1 is not in platforms.slack.channels",
  });
});
