import { environment } from "../../adapters/io/environment.ts";
import { SLACK_API, SLACK_TOKEN, slack } from "../../adapters/platforms/slack.ts";
import { hearSlack, SLACK_SECRET, type SlackHeard, type SlackRequest } from "../../adapters/platforms/slack-events.ts";
import { TELEGRAM_API, TELEGRAM_TOKEN, telegram } from "../../adapters/platforms/telegram.ts";
import { followTelegram } from "../../adapters/platforms/telegram-updates.ts";
import { WEBHOOK_SECRET, webhook } from "../../adapters/platforms/webhook.ts";
import { RalphError } from "../../core/errors.ts";
import type { IncomingMessage, Platform, StreamingMode } from "../../core/platform.ts";
import type { PlatformSettings } from "../../core/schema/platforms.ts";

/** The platforms of the settings, with the tokens that they need. */
export interface OpenPlatforms {
  /** By their names, for whoever sends. */
  platforms: ReadonlyMap<string, Platform>;
  /** Reads a request of Slack's Events API; null: Slack is not set up. */
  slack: ((request: SlackRequest) => SlackHeard) | null;
  /** Listens to Telegram until it is told to quit; null: Telegram is not set up. */
  telegram: ((listening: TelegramHearing) => Promise<void>) | null;
}

interface TelegramHearing {
  hear(message: IncomingMessage): Promise<unknown>;
  log(line: string): void;
  quit: AbortSignal;
}

type Environment = Record<string, string | undefined>;

/**
 * Opens what the settings name. The secrets are taken out of the environment: the agents and commands that this process
 * starts are not to find them there.
 */
export function openPlatforms(settings: PlatformSettings | undefined, env: Environment = environment()): OpenPlatforms {
  const { webhook: hook, slack: chat, telegram: bot } = settings ?? {};
  const secrets = takeSecrets(env);
  const need = (name: Secret, key: string): string => secrets[name] ?? missing(name, key);
  const platforms: Platform[] = [];
  if (hook) platforms.push(webhook({ ...hook, mode: hook.mode ?? "stream", secret: secrets[WEBHOOK_SECRET] ?? null }));
  const slackSecret = chat ? need(SLACK_SECRET, "slack") : null;
  if (chat) platforms.push(slack({ ...placed(chat, SLACK_API), token: need(SLACK_TOKEN, "slack") }));
  const ours = bot && { ...placed(bot, TELEGRAM_API), token: need(TELEGRAM_TOKEN, "telegram") };
  if (ours) platforms.push(telegram(ours));
  return {
    platforms: new Map(platforms.map((platform) => [platform.name, platform])),
    slack:
      slackSecret === null
        ? null
        : (request) => hearSlack(request, { secret: slackSecret, channels: chat?.channels ?? null, nowMs: Date.now() }),
    telegram: ours
      ? ({ hear, log, quit }) => followTelegram({ ...ours, chats: bot.chats ?? [], hear: orTold(hear, log), log, quit })
      : null,
  };
}

const placed = (
  { baseUrl, mode }: { baseUrl?: string | undefined; mode?: StreamingMode | undefined },
  standard: string,
) => ({
  baseUrl: baseUrl ?? standard,
  mode: mode ?? "batch",
});

/** A message that is refused would be refused again: it is passed over, and told to whoever runs the server. */
const orTold =
  (hear: TelegramHearing["hear"], log: TelegramHearing["log"]) =>
  async (message: IncomingMessage): Promise<void> => {
    try {
      await hear(message);
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "message-refused") throw error;
      log(`telegram: ${error.message}`);
    }
  };

const SECRETS = [SLACK_TOKEN, SLACK_SECRET, TELEGRAM_TOKEN, WEBHOOK_SECRET] as const;
type Secret = (typeof SECRETS)[number];

function takeSecrets(env: Environment): Partial<Record<Secret, string>> {
  const found: Partial<Record<Secret, string>> = {};
  for (const name of SECRETS) {
    const value = env[name]?.trim();
    if (value) found[name] = value;
    delete env[name];
  }
  return found;
}

const WHERE: Readonly<Record<Secret, string>> = {
  [SLACK_TOKEN]: "the bot token of the app, under OAuth & Permissions",
  [SLACK_SECRET]: "the signing secret of the app, under Basic Information",
  [TELEGRAM_TOKEN]: "the token that @BotFather gave for the bot",
  [WEBHOOK_SECRET]: "any long random text",
};

function missing(name: Secret, key: string): never {
  throw new RalphError("token-missing", `platforms.${key} in the settings needs ${name} in the environment`, {
    hint: `export ${name}=…: ${WHERE[name]}`,
  });
}
