import * as z from "zod";
import { listSchema, oneOf, text } from "./atoms.ts";
import { describe, expected, strict } from "./messages.ts";

const mode = (defaults: "stream" | "batch") =>
  oneOf(["stream", "batch"])
    .meta({ description: "Each message as it comes, or those of an iteration together.", default: defaults })
    .optional();

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Where a token is sent to: the address may hold none itself, and nobody on the way may read it. */
const baseUrl = z
  .url({ protocol: /^https?$/, error: "expected a URL that begins with https://" })
  .refine((url) => !hasSecret(url), { error: "expected a URL without a password or a token: the environment has it" })
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
const chat = z.int(expected("the number of a chat, such as 123456789; groups have a minus before it"));

/** `platforms`: where people talk to workflows. Tokens are in the environment only. */
export const platforms = strict(
  {
    webhook: keptOut(
      {
        url: webhook.meta({
          description: "A URL that gets what is said in these conversations, as JSON.",
          pattern: "^https?://",
        }),
        mode: mode("stream"),
      },
      "{ url }",
      "RALPH_WEBHOOK_SECRET",
    )
      .describe("Conversations of a program of your own, which is told by a POST.")
      .optional(),
    slack: keptOut(
      {
        baseUrl: address("Where Slack's interface is.", "https://slack.com/api"),
        mode: mode("batch"),
        channels: listSchema(channel, "ids of channels")
          .describe("Channels in which people may talk to Ralph; all that the bot is in when left out.")
          .optional(),
      },
      "{ channels }",
      "SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET",
    )
      .describe("Conversations in threads of Slack.")
      .optional(),
    telegram: keptOut(
      {
        baseUrl: address("Where Telegram's interface is.", "https://api.telegram.org"),
        mode: mode("batch"),
        chats: listSchema(chat, "numbers of chats")
          .describe("Chats that may talk to Ralph; none when left out, and each is told its number.")
          .optional(),
      },
      "{ chats }",
      "TELEGRAM_BOT_TOKEN",
    )
      .describe("Conversations in chats of Telegram.")
      .optional(),
  },
  "{ webhook, slack, telegram }",
);
export type PlatformSettings = z.infer<typeof platforms>;

/** An object in which a secret is refused with the place where it belongs. */
function keptOut<Shape extends z.core.$ZodLooseShape>(shape: Shape, what: string, variables: string) {
  return strict(shape, what, (key) =>
    /token|secret|passw|key|auth/i.test(key)
      ? `unknown key ${JSON.stringify(key)}: a secret does not belong into a file, set ${variables} in the environment`
      : null,
  );
}
