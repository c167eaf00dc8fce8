import * as z from "zod";
import { listOf, oneOf, text } from "./atoms.ts";
import { describe, expected, strict } from "./messages.ts";

const mode = (defaults: "stream" | "batch") =>
  oneOf(["stream", "batch"])
    .meta({ description: "Send each message as it arrives, or those of an iteration together.", default: defaults })
    .optional();

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** A URL that a token is sent to: it must not contain a secret and must be encrypted. */
const baseUrl = z
  .url({ protocol: /^https?$/, error: "expected a URL that begins with https://" })
  .refine((url) => !hasSecret(url), { error: "expected a URL without a password or token: set it in the environment" })
  .refine(isPrivate, { error: "expected https://, since a token is sent there; http:// only to this machine" })
  .transform((url) => url.replace(/\/+$/, ""));

function hasSecret(url: string): boolean {
  const { username, password, pathname, search } = new URL(url);
  return username !== "" || password !== "" || search !== "" || /\/bot\d+:/.test(pathname);
}

function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || LOOPBACK.test(hostname);
}

const address = (description: string, standard: string) =>
  baseUrl.meta({ description, pattern: "^https?://", default: standard }).optional();

const webhook = z.url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" });
const channel = text.regex(/^[A-Z0-9]+$/, {
  error: ({ input }) => `expected the id of a channel, such as C0123456789, got ${describe(input)}`,
});
const chat = z.int(expected("the id of a chat, such as 123456789; group ids are negative"));

/** `platforms`: where users talk to workflows. Tokens are set only in the environment. */
export const platforms = strict(
  {
    webhook: keptOut(
      {
        url: webhook.meta({
          description: "A URL that receives the messages of these conversations as JSON.",
          pattern: "^https?://",
        }),
        mode: mode("stream"),
      },
      "{ url }",
      "RALPH_WEBHOOK_SECRET",
    )
      .describe("Conversations of your own program, which receives messages by POST.")
      .optional(),
    slack: keptOut(
      {
        baseUrl: address("The URL of Slack's API.", "https://slack.com/api"),
        mode: mode("batch"),
        channels: listOf(channel, "ids of channels")
          .describe("Channels in which users may talk to Ralph; by default all that the bot is in.")
          .optional(),
      },
      "{ channels }",
      "SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET",
    )
      .describe("Conversations in Slack threads.")
      .optional(),
    telegram: keptOut(
      {
        baseUrl: address("The URL of Telegram's API.", "https://api.telegram.org"),
        mode: mode("batch"),
        chats: listOf(chat, "chat ids")
          .describe("Chats that may talk to Ralph; none by default. Other chats are answered with their id.")
          .optional(),
      },
      "{ chats }",
      "TELEGRAM_BOT_TOKEN",
    )
      .describe("Conversations in Telegram chats.")
      .optional(),
  },
  "{ webhook, slack, telegram }",
);
export type PlatformSettings = z.infer<typeof platforms>;

/** An object that rejects secrets with a hint where they belong. */
function keptOut<Shape extends z.core.$ZodLooseShape>(shape: Shape, what: string, variables: string) {
  return strict(shape, what, (key) =>
    /token|secret|passw|key|auth/i.test(key)
      ? `unknown key ${JSON.stringify(key)}: a secret does not belong in a file, set ${variables} in the environment`
      : null,
  );
}
