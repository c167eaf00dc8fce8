import * as z from "zod";
import { messageOf } from "../../core/errors.ts";
import { uncalled } from "../../core/escape-mentions.ts";
import type { OutgoingMessage, PlatformMessage, Polling } from "../../core/platform.ts";
import { listSchema } from "../../core/schema/atoms.ts";
import { expected } from "../../core/schema/messages.ts";
import { apiUrl, platformFields, readJsonText, streamingMode } from "../../core/schema/platform-fields.ts";
import { isWorthAnother, postForAnswer } from "../io/post.ts";
import { pause } from "../io/timer.ts";
import { definePlatform, type SendFailure, sendFailure, sendResult } from "./platform.ts";

const API = "https://api.telegram.org";
const ANSWER_MS = 10_000;
const ANSWER_BYTES = 256 << 10;
const MAX_CHARS = 4_096;

const chat = z.int(expected("the id of a chat, such as 123456789; group ids are negative"));

const settings = platformFields(
  {
    baseUrl: apiUrl("The base URL of Telegram's API.", API),
    mode: streamingMode("batch"),
    chats: listSchema(chat, "chat ids")
      .describe("Chats that may talk to Ralph; none when left out. The bot answers the others with their number.")
      .optional(),
  },
  "{ chats }",
  "TELEGRAM_BOT_TOKEN",
).describe("Conversations in Telegram chats.");

/** Conversations in chats, and topics of groups, of a Telegram bot, which Ralph polls. */
export const telegram = definePlatform({
  settings,
  secrets: { TELEGRAM_BOT_TOKEN: "the token that @BotFather gave for the bot" },
  open({ baseUrl = API, mode = "batch", chats = [] }, secrets) {
    const bot = { baseUrl, token: secrets.require("TELEGRAM_BOT_TOKEN") };
    return {
      outbound: {
        mode,
        // Leaves room for the escapes that prevent mentions of everyone.
        maxChars: MAX_CHARS - 96,
        async send(message, quit) {
          const [chat = "", topic] = message.conversation.split(":");
          const json = {
            chat_id: Number(chat),
            ...(topic ? { message_thread_id: Number(topic) } : {}),
            // No parse_mode, so that nothing in an agent's text is markup.
            text: escaped(message),
            link_preview_options: { is_disabled: true },
          };
          const limits = { timeoutMs: ANSWER_MS, maxBytes: ANSWER_BYTES, quit };
          const called = await callBot(bot, "sendMessage", json, limits);
          return called.is === "ok" ? { is: "sent" } : called;
        },
      },
      inbound: { by: "polling", follow: (polling) => followTelegram({ ...bot, ...polling, chats }) },
    };
  },
});

const escaped = ({ content, role }: OutgoingMessage): string =>
  uncalled(role === "system" ? content.replace(/\*\*([^*\n]+)\*\*/g, "$1") : content).slice(0, MAX_CHARS);

type Bot = { baseUrl: string; token: string };

const botAnswer = z.looseObject({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z.looseObject({ retry_after: z.number().optional() }).optional(),
  result: z.unknown().optional(),
});

/** Calls a method of the bot API. The token is part of the URL, which is never shown. */
async function callBot(
  { baseUrl, token }: Bot,
  method: string,
  json: unknown,
  { timeoutMs, maxBytes, quit }: { timeoutMs: number; maxBytes: number; quit: AbortSignal },
): Promise<{ is: "ok"; result: unknown } | SendFailure> {
  const answered = await postForAnswer({ url: `${baseUrl}/bot${token}/${method}`, json, timeoutMs, quit }, maxBytes);
  if (answered.is === "failed") return answered;
  const { status, text, retryAfterMs } = answered;
  const answer = readJsonText(botAnswer, text);
  if (answer?.ok) return { is: "ok", result: answer.result };
  const sent = answer ? null : sendResult(answered);
  if (sent?.is === "failed") return sent;
  const afterS = answer?.parameters?.retry_after;
  const why = answer ? `Telegram answered ${answer.description ?? `HTTP ${status}`}` : "the answer is not Telegram's";
  const fix = status === 401 || status === 404 ? ": TELEGRAM_BOT_TOKEN is not accepted" : "";
  return sendFailure(`${why}${fix}`, isWorthAnother(status), afterS === undefined ? retryAfterMs : afterS * 1_000);
}

const update = z.looseObject({
  update_id: z.int(),
  message: z
    .looseObject({
      message_id: z.int(),
      chat: z.looseObject({ id: z.int(), type: z.string().optional() }),
      from: z.looseObject({ is_bot: z.boolean().optional() }).optional(),
      is_topic_message: z.boolean().optional(),
      message_thread_id: z.int().optional(),
      text: z.string().optional(),
    })
    .optional()
    // An unreadable update still has its number, so that it is not requested again.
    .catch(undefined),
});
const updates = z.array(update);
type Update = z.infer<typeof update>;

interface BotPolling extends Bot, Polling {
  chats: readonly number[];
  /** How long the API waits for an update; 50 seconds by default. */
  waitS?: number;
}

const WAIT_S = 50;
const SPARE_MS = 10_000;
const UPDATES_BYTES = 8 << 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Polls a bot until it is stopped. A message is durable before the next one is requested. Never throws. */
export async function followTelegram(polling: BotPolling): Promise<void> {
  const { quit, log } = polling;
  const answeredChats = new Set<number>();
  let offset: number | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  while (!quit.aborted) {
    const polled = await poll(polling, offset);
    if (quit.aborted) return;
    const next = polled.is === "ok" ? await acceptAll(polled.updates, polling, answeredChats) : null;
    if (next !== null) offset = next;
    if (next !== null || (polled.is === "ok" && polled.updates.length === 0)) {
      pauseMs = FIRST_PAUSE_MS;
      continue;
    }
    const waitMs = polled.is === "failed" ? Math.min(LONGEST_PAUSE_MS, Math.max(pauseMs, polled.afterMs)) : pauseMs;
    if (polled.is === "failed")
      log(`no messages are received (${polled.why}); trying again in ${Math.ceil(waitMs / 1_000)}s`);
    await pause(waitMs, quit);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

type Polled = { is: "ok"; updates: Update[] } | { is: "failed"; why: string; afterMs: number };

async function poll(polling: BotPolling, offset: number | null): Promise<Polled> {
  const { quit, waitS = WAIT_S } = polling;
  const json = { timeout: waitS, allowed_updates: ["message"], ...(offset === null ? {} : { offset }) };
  const limits = { timeoutMs: waitS * 1_000 + SPARE_MS, maxBytes: UPDATES_BYTES, quit };
  const called = await callBot(polling, "getUpdates", json, limits);
  if (called.is === "failed") return { is: "failed", why: called.why, afterMs: called.afterMs ?? 0 };
  const read = updates.safeParse(called.result);
  return read.success ? { is: "ok", updates: read.data } : { is: "failed", why: "unreadable updates", afterMs: 0 };
}

/** Accepts updates in order. Returns the number to request next, or null if the first one failed. */
async function acceptAll(
  updates: readonly Update[],
  polling: BotPolling,
  answeredChats: Set<number>,
): Promise<number | null> {
  let next: number | null = null;
  for (const update of updates) {
    try {
      await acceptUpdate(update, polling, answeredChats);
    } catch (error) {
      polling.log(`a message is left for later: ${messageOf(error)}`);
      return next;
    }
    next = update.update_id + 1;
  }
  return next;
}

const MAX_ANSWERED = 1_000;

async function acceptUpdate(update: Update, polling: BotPolling, answeredChats: Set<number>): Promise<void> {
  const read = readUpdate(update, polling.chats);
  if (read.is === "message") return void (await polling.accept(read.message));
  if (read.is === "ignored" || answeredChats.has(read.chat) || answeredChats.size >= MAX_ANSWERED) return;
  answeredChats.add(read.chat);
  polling.log(`chat ${read.chat} is not in platforms.telegram.chats, and was answered with its number`);
  const json = { chat_id: read.chat, text: refusalOf(read.chat) };
  await callBot(polling, "sendMessage", json, { timeoutMs: ANSWER_MS, maxBytes: 1 << 16, quit: polling.quit });
}

const refusalOf = (chat: number): string =>
  `This chat may not talk to Ralph. Its operator can add ${chat} to platforms.telegram.chats in .ralph/settings.json and start it again.`;

type ReadUpdate = { is: "message"; message: PlatformMessage } | { is: "refused"; chat: number } | { is: "ignored" };

export function readUpdate({ message }: Update, chats: readonly number[]): ReadUpdate {
  if (!message || message.text === undefined || message.from?.is_bot) return { is: "ignored" };
  const { chat, message_id, is_topic_message, message_thread_id } = message;
  if (!chats.includes(chat.id)) return { is: "refused", chat: chat.id };
  const text = plainText(message.text);
  if (text === "") return { is: "ignored" };
  const conversation = is_topic_message && message_thread_id ? `${chat.id}:${message_thread_id}` : String(chat.id);
  return { is: "message", message: { conversation, text, externalId: `${chat.id}:${message_id}` } };
}

/** `/status@ralph_bot` becomes `status`, a chat's first `/start` becomes `help`; the bot's name in front is removed. */
const plainText = (text: string): string =>
  text
    .trim()
    .replace(/^@\w{3,40}[,:]?\s+/, "")
    .replace(/^\/start\b(@\w+)?/, "help")
    .replace(/^\/(\w+)(@\w+)?/, "$1")
    .trim();
