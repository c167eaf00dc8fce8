import { messageOf } from "../../core/errors.ts";
import type { IncomingMessage } from "../../core/platform.ts";
import { readTelegramUpdates, type TelegramUpdate } from "../../core/schema/chat-events.ts";
import { pause } from "../io/timer.ts";
import { callTelegram, type TelegramSetting } from "./telegram.ts";

interface TelegramListening extends Pick<TelegramSetting, "baseUrl" | "token"> {
  /** The chats that may talk to Ralph; the others are told which number to add. */
  chats: readonly number[];
  /** Has the message durable when it resolves; only then is the next one asked for. */
  hear(message: IncomingMessage): Promise<void>;
  log(line: string): void;
  /** Ends the listening. */
  quit: AbortSignal;
  /** How long a question waits for something to happen; 50 seconds where it is left out. */
  waitS?: number;
}

const WAIT_S = 50;
const SPARE_MS = 10_000;
const ANSWER_BYTES = 8 << 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Listens to a bot's chats until it is told to quit, whatever goes wrong between. Never throws. */
export async function followTelegram(listening: TelegramListening): Promise<void> {
  const { quit, log } = listening;
  const told = new Set<number>();
  let offset: number | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  while (!quit.aborted) {
    const asked = await ask(listening, offset);
    if (quit.aborted) return;
    const next = asked.is === "answered" ? await takeAll(asked.updates, listening, told) : null;
    if (next !== null) offset = next;
    if (next !== null || (asked.is === "answered" && asked.updates.length === 0)) {
      pauseMs = FIRST_PAUSE_MS;
      continue;
    }
    const waitMs = asked.is === "failed" ? Math.min(LONGEST_PAUSE_MS, Math.max(pauseMs, asked.afterMs)) : pauseMs;
    if (asked.is === "failed")
      log(`telegram: no messages are received (${asked.why}); trying again in ${Math.ceil(waitMs / 1_000)}s`);
    await pause(waitMs, quit);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

type Asked = { is: "answered"; updates: TelegramUpdate[] } | { is: "failed"; why: string; afterMs: number };

async function ask(listening: TelegramListening, offset: number | null): Promise<Asked> {
  const { quit, waitS = WAIT_S } = listening;
  const question = { timeout: waitS, allowed_updates: ["message"], ...(offset === null ? {} : { offset }) };
  const bounds = { timeoutMs: waitS * 1_000 + SPARE_MS, maxBytes: ANSWER_BYTES, quit };
  const called = await callTelegram(listening, "getUpdates", question, bounds);
  if (called.is === "failed") return { is: "failed", why: called.why, afterMs: called.afterMs ?? 0 };
  const updates = readTelegramUpdates(called.result);
  return updates ? { is: "answered", updates } : { is: "failed", why: "updates that cannot be read", afterMs: 0 };
}

/** Takes updates in their order; the number to ask for next, or null where the first could not be taken. */
async function takeAll(
  updates: readonly TelegramUpdate[],
  listening: TelegramListening,
  told: Set<number>,
): Promise<number | null> {
  let next: number | null = null;
  for (const update of updates) {
    try {
      await take(update, listening, told);
    } catch (error) {
      listening.log(`telegram: a message is left for later: ${messageOf(error)}`);
      return next;
    }
    next = update.update_id + 1;
  }
  return next;
}

const MOST_TOLD = 1_000;
const ANSWER_MS = 10_000;

async function take(update: TelegramUpdate, listening: TelegramListening, told: Set<number>): Promise<void> {
  const heard = hearTelegram(update, listening.chats);
  if (heard.is === "message") return listening.hear(heard.message);
  if (heard.is === "ignored" || told.has(heard.chat) || told.size >= MOST_TOLD) return;
  told.add(heard.chat);
  listening.log(`telegram: chat ${heard.chat} is not in platforms.telegram.chats, and was told so`);
  const json = { chat_id: heard.chat, text: refusalOf(heard.chat) };
  await callTelegram(listening, "sendMessage", json, { timeoutMs: ANSWER_MS, maxBytes: 1 << 16, quit: listening.quit });
}

const refusalOf = (chat: number): string =>
  `This chat may not talk to Ralph. Whoever runs it can add ${chat} to platforms.telegram.chats in .ralph/settings.json and start it again.`;

type TelegramHeard = { is: "message"; message: IncomingMessage } | { is: "refused"; chat: number } | { is: "ignored" };

/** What an update says, and whether it may be said. */
export function hearTelegram({ message }: TelegramUpdate, chats: readonly number[]): TelegramHeard {
  if (!message || message.text === undefined || message.from?.is_bot) return { is: "ignored" };
  const { chat, message_id, is_topic_message, message_thread_id } = message;
  if (!chats.includes(chat.id)) return { is: "refused", chat: chat.id };
  const text = plainText(message.text);
  if (text === "") return { is: "ignored" };
  const conversation = is_topic_message && message_thread_id ? `${chat.id}:${message_thread_id}` : String(chat.id);
  return {
    is: "message",
    message: { platform: "telegram", conversation, text, externalId: `${chat.id}:${message_id}` },
  };
}

/** `/status@ralph_bot` is `status`, and what a chat begins with asks for help; the bot's name before a text is no part of it. */
const plainText = (text: string): string =>
  text
    .trim()
    .replace(/^@\w{3,40}[,:]?\s+/, "")
    .replace(/^\/start\b(@\w+)?/, "help")
    .replace(/^\/(\w+)(@\w+)?/, "$1")
    .trim();
