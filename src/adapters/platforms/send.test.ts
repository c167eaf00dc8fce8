import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { type Answer, chatServer } from "../../../test/support/chat-server.ts";
import type { OutgoingMessage } from "../../core/platform.ts";
import { openPlatforms } from "./platforms.ts";

const SECRET = "xoxb-SECRET";
const quit = new AbortController().signal;
const CLOSED = "http://127.0.0.1:1";

const saying = (more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  conversation: "C1:17.5",
  content: "**Iteration 1/3**",
  run: "1a2b3c4d",
  role: "system",
  atMs: Date.UTC(2026, 0, 2),
  ...more,
});

function outboundOf(platform: string, settings: object, env: Record<string, string>) {
  const outbound = openPlatforms({ settings: { [platform]: settings }, env }).get(platform)?.outbound;
  if (!outbound) throw new Error(`${platform} does not send`);
  return outbound;
}

const onSlack = (baseUrl: string) =>
  outboundOf("slack", { baseUrl }, { SLACK_BOT_TOKEN: SECRET, SLACK_SIGNING_SECRET: "s" });
const onTelegram = (baseUrl: string) => outboundOf("telegram", { baseUrl }, { TELEGRAM_BOT_TOKEN: `12:${SECRET}` });
const onWebhook = (url: string, env: Record<string, string>) => outboundOf("webhook", { url }, env);

test("Slack gets a message in the thread, with its own bold, and the token in a header only", async () => {
  const { url, calls } = await chatServer();
  expect(await onSlack(url).send(saying(), quit)).toEqual({ is: "sent" });
  const [call] = calls;
  expect(call).toMatchObject({
    path: "/chat.postMessage",
    headers: { authorization: `Bearer ${SECRET}`, "content-type": "application/json; charset=utf-8" },
    json: { channel: "C1", thread_ts: "17.5", text: "*Iteration 1/3*", unfurl_links: false, unfurl_media: false },
  });
  expect(call?.body).not.toContain(SECRET);
});

test("a conversation without a thread has none", async () => {
  const { url, calls } = await chatServer();
  await onSlack(url).send(saying({ conversation: "D1" }), quit);
  expect(calls[0]?.json).toMatchObject({ channel: "D1" });
  expect(calls[0]?.json).not.toHaveProperty("thread_ts");
});

test("an agent's text mentions no one and contains no markup", async () => {
  const { url, calls } = await chatServer();
  const content = "<!channel> <@U1> @here & **not ours** <https://evil.invalid|good>";
  await onSlack(url).send(saying({ role: "assistant", content }), quit);
  expect(calls[0]?.json.text).toBe(
    "&lt;!channel&gt; &lt;@U1&gt; @\u200bhere &amp; **not ours** &lt;https://evil.invalid|good&gt;",
  );
  await onTelegram(url).send(saying({ conversation: "7", role: "assistant", content }), quit);
  expect(calls[1]?.json.text).toBe("<!channel> <@U1> @\u200bhere & **not ours** <https://evil.invalid|good>");
  expect(calls[1]?.json).not.toHaveProperty("parse_mode");
  expect(calls[1]?.json.link_preview_options).toEqual({ is_disabled: true });
});

test("Telegram gets a message in the chat, and in its topic", async () => {
  const { url, calls } = await chatServer(() => ({ json: { ok: true, result: {} } }));
  expect(await onTelegram(url).send(saying({ conversation: "-100:5" }), quit)).toEqual({ is: "sent" });
  expect(calls[0]).toMatchObject({
    path: `/bot12:${SECRET}/sendMessage`,
    json: { chat_id: -100, message_thread_id: 5, text: "Iteration 1/3" },
  });
});

test.each<[string, Answer, object]>([
  [
    "is limited",
    { status: 429, headers: { "retry-after": "3" }, json: { ok: false, error: "ratelimited" } },
    { why: "Slack answered ratelimited", again: true, afterMs: 3_000 },
  ],
  [
    "has an internal error",
    { json: { ok: false, error: "internal_error" } },
    { why: "Slack answered internal_error", again: true },
  ],
  ["is down", { status: 503, json: "down" }, { why: "HTTP 503", again: true }],
  [
    "does not know the channel",
    { json: { ok: false, error: "channel_not_found" } },
    { why: "Slack answered channel_not_found: invite the bot into the channel", again: false },
  ],
  [
    "refuses the token",
    { json: { ok: false, error: "invalid_auth" } },
    { why: "Slack answered invalid_auth: SLACK_BOT_TOKEN is not accepted", again: false },
  ],
  ["is another program", { json: { hello: 1 } }, { why: "the answer is not Slack's", again: false }],
  [
    "returns control characters",
    { json: { ok: false, error: "\u001b[2Jx\ny" } },
    { why: "Slack answered x y", again: false },
  ],
  [
    "redirects",
    { status: 302, headers: { location: "http://evil.invalid/" } },
    { why: expect.stringMatching(/^HTTP 302, a redirect/), again: false },
  ],
])("Slack %s", async (_name, answer, failed) => {
  const { url } = await chatServer(() => answer);
  const sent = await onSlack(url).send(saying(), quit);
  expect(sent).toEqual({ is: "failed", ...failed });
  expect(JSON.stringify(sent)).not.toContain("SECRET");
});

test.each<[string, Answer, object]>([
  [
    "is limited",
    {
      status: 429,
      json: { ok: false, description: "Too Many Requests: retry after 34", parameters: { retry_after: 34 } },
    },
    { why: "Telegram answered Too Many Requests: retry after 34", again: true, afterMs: 34_000 },
  ],
  [
    "was blocked",
    { status: 403, json: { ok: false, description: "Forbidden: bot was blocked by the user" } },
    { why: "Telegram answered Forbidden: bot was blocked by the user", again: false },
  ],
  [
    "refuses the token",
    { status: 401, json: { ok: false, description: "Unauthorized" } },
    { why: "Telegram answered Unauthorized: TELEGRAM_BOT_TOKEN is not accepted", again: false },
  ],
  ["is down", { status: 502, json: "<html>" }, { why: "HTTP 502", again: true }],
  ["is another program", { json: "hello" }, { why: "the answer is not Telegram's", again: false }],
])("Telegram %s", async (_name, answer, failed) => {
  const { url } = await chatServer(() => answer);
  const sent = await onTelegram(url).send(saying({ conversation: "7" }), quit);
  expect(sent).toEqual({ is: "failed", ...failed });
  expect(JSON.stringify(sent)).not.toContain("SECRET");
});

test("a refused connection may be retried, and no token is shown", async () => {
  for (const platform of [onSlack(CLOSED), onTelegram(CLOSED)]) {
    const sent = await platform.send(saying(), quit);
    expect(sent).toMatchObject({ is: "failed", again: true, why: expect.stringMatching(/^not reached/) });
    expect(JSON.stringify(sent)).not.toContain("SECRET");
  }
});

test("a webhook gets the message as JSON, signed if there is a secret", async () => {
  const { url, calls } = await chatServer((_call, n) => ({
    status: n === 1 ? 204 : 429,
    headers: { "retry-after": "2" },
  }));
  const signed = onWebhook(`${url}/hook`, { RALPH_WEBHOOK_SECRET: "s3" });
  expect(await signed.send(saying({ conversation: "c" }), quit)).toEqual({ is: "sent" });
  expect(calls[0]?.json).toEqual({
    conversationId: "c",
    runId: "1a2b3c4d",
    role: "system",
    content: "**Iteration 1/3**",
    at: "2026-01-02T00:00:00.000Z",
  });
  const right = createHmac("sha256", "s3")
    .update(calls[0]?.body ?? "")
    .digest("hex");
  expect(calls[0]?.headers["x-ralph-signature"]).toBe(`sha256=${right}`);
  const plain = onWebhook(url, {});
  expect(await plain.send(saying(), quit)).toEqual({
    is: "failed",
    why: "HTTP 429",
    again: true,
    afterMs: 2_000,
  });
  expect(calls[1]?.headers).not.toHaveProperty("x-ralph-signature");
});
