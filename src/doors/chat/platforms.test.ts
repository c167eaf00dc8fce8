import { expect, test } from "vitest";
import { openPlatforms } from "./platforms.ts";

const ENV = {
  SLACK_BOT_TOKEN: "xoxb-1",
  SLACK_SIGNING_SECRET: "s",
  TELEGRAM_BOT_TOKEN: "1:A",
  RALPH_WEBHOOK_SECRET: "w",
  PATH: "/bin",
};

test("what the settings name is opened, and the environment keeps no secret", () => {
  const env = { ...ENV };
  const { platforms, slack, telegram } = openPlatforms(
    { webhook: { url: "https://example.invalid" }, slack: { mode: "stream" }, telegram: {} },
    env,
  );
  expect([...platforms.values()].map(({ name, mode }) => `${name}: ${mode}`)).toEqual([
    "webhook: stream",
    "slack: stream",
    "telegram: batch",
  ]);
  expect(slack?.({ body: "{}", timestamp: "1", signature: "v0=" })).toMatchObject({ is: "refused" });
  expect(telegram).not.toBeNull();
  expect(env).toEqual({ PATH: "/bin" });
});

test("nothing is opened that nobody named, and the secrets are taken all the same", () => {
  const env = { ...ENV };
  expect(openPlatforms(undefined, env)).toEqual({ platforms: new Map(), slack: null, telegram: null });
  expect(env).toEqual({ PATH: "/bin" });
});

test.each([
  [{ slack: {} }, { SLACK_SIGNING_SECRET: "s" }, "slack", "SLACK_BOT_TOKEN"],
  [{ slack: {} }, { SLACK_BOT_TOKEN: "xoxb-1" }, "slack", "SLACK_SIGNING_SECRET"],
  [{ telegram: {} }, { TELEGRAM_BOT_TOKEN: " " }, "telegram", "TELEGRAM_BOT_TOKEN"],
])("%o needs its variable", (settings, env, key, name) => {
  expect(() => openPlatforms(settings, env)).toThrow(
    `platforms.${key} in the settings needs ${name} in the environment`,
  );
});
