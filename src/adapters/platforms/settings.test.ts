import { expect, test } from "vitest";
import { platformSettings } from "./platforms.ts";

const complaints = (platforms: unknown) =>
  platformSettings()
    .safeParse(platforms)
    .error?.issues.map(({ path, message }) => `${["platforms", ...path].join(".")}: ${message}`) ?? [];

test.each<[string, unknown, string]>([
  [
    "a Slack token",
    { slack: { token: "xoxb-1" } },
    'platforms.slack: unknown key "token": a secret does not belong in a file, set SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET in the environment',
  ],
  [
    "a Telegram token",
    { telegram: { botToken: "1:A", chats: [] } },
    'platforms.telegram: unknown key "botToken": a secret does not belong in a file, set TELEGRAM_BOT_TOKEN in the environment',
  ],
  [
    "a webhook secret",
    { webhook: { url: "https://example.invalid", secret: "x" } },
    'platforms.webhook: unknown key "secret": a secret does not belong in a file, set RALPH_WEBHOOK_SECRET in the environment',
  ],
  ["a misspelt key", { slack: { chanels: [] } }, 'platforms.slack: unknown key "chanels", did you mean "channels"?'],
  [
    "an unknown platform",
    { discord: {} },
    'platforms: unknown key "discord" (expected one of webhook, slack, telegram)',
  ],
  [
    "a token in the address",
    { telegram: { baseUrl: "https://api.telegram.org/bot123:SECRET" } },
    "platforms.telegram.baseUrl: expected a URL without a password or token: set it in the environment",
  ],
  [
    "an address without encryption",
    { slack: { baseUrl: "http://slack.example.com/api" } },
    "platforms.slack.baseUrl: expected https://, since a token is sent there; http:// only to this machine",
  ],
  [
    "a chat by its name",
    { telegram: { chats: ["@me"] } },
    'platforms.telegram.chats.0: expected the id of a chat, such as 123456789; group ids are negative, got "@me"',
  ],
  [
    "a channel by its name",
    { slack: { channels: ["#general"] } },
    'platforms.slack.channels.0: expected the id of a channel, such as C0123456789, got "#general"',
  ],
  ["no URL", { webhook: {} }, "platforms.webhook.url: expected a URL that begins with http:// or https://"],
])("refuses %s", (_name, platforms, complaint) => {
  expect(complaints(platforms)).toEqual([complaint]);
});

test("accepts valid settings, and a local server", () => {
  const platforms = {
    webhook: { url: "http://hooks.example.com/x", mode: "batch" },
    slack: { baseUrl: "http://127.0.0.1:8080/api/", channels: ["C1"] },
    telegram: { chats: [-100123, 5] },
  };
  expect(complaints(platforms)).toEqual([]);
  expect(platformSettings().parse(platforms)).toMatchObject({ slack: { baseUrl: "http://127.0.0.1:8080/api" } });
});
