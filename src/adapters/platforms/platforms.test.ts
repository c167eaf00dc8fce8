import { expect, test } from "vitest";
import { openPlatforms } from "./platforms.ts";

const ENV = {
  SLACK_BOT_TOKEN: "xoxb-1",
  SLACK_SIGNING_SECRET: "s",
  TELEGRAM_BOT_TOKEN: "1:A",
  RALPH_WEBHOOK_SECRET: "w",
  PATH: "/bin",
};

test("platforms of the settings are opened, and no secret is left in the environment", () => {
  const env = { ...ENV };
  const settings = { webhook: { url: "https://example.invalid" }, slack: { mode: "stream" }, telegram: {} };
  const opened = openPlatforms({ settings, env });
  expect([...opened].map(([name, { outbound, inbound }]) => [name, outbound?.mode, inbound.by])).toEqual([
    ["http", undefined, "request"],
    ["webhook", "stream", "request"],
    ["slack", "stream", "request"],
    ["telegram", "batch", "polling"],
  ]);
  expect(env).toEqual({ PATH: "/bin" });
});

test("only HTTP is opened without settings, and the secrets are still removed", () => {
  const env = { ...ENV };
  expect([...openPlatforms({ settings: undefined, env }).keys()]).toEqual(["http"]);
  expect(env).toEqual({ PATH: "/bin" });
});

test.each([
  [{ slack: {} }, { SLACK_SIGNING_SECRET: "s" }, "slack", "SLACK_BOT_TOKEN"],
  [{ slack: {} }, { SLACK_BOT_TOKEN: "xoxb-1" }, "slack", "SLACK_SIGNING_SECRET"],
  [{ telegram: {} }, { TELEGRAM_BOT_TOKEN: " " }, "telegram", "TELEGRAM_BOT_TOKEN"],
])("%o needs its variable", (settings, env, key, name) => {
  expect(() => openPlatforms({ settings, env })).toThrow(
    `platforms.${key} in the settings needs ${name} in the environment`,
  );
});
