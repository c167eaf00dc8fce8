import { uncalled } from "../../core/escape-mentions.ts";
import type { OutgoingMessage, Platform, StreamingMode } from "../../core/platform.ts";
import { readTelegramAnswer, type TelegramAnswer } from "../../core/schema/chat-answers.ts";
import { isWorthAnother, postForAnswer } from "../io/post.ts";
import { failed, type SendFailure, sentBy } from "./sent.ts";

/** The variable that holds the token of the bot. */
export const TELEGRAM_TOKEN = "TELEGRAM_BOT_TOKEN";
export const TELEGRAM_API = "https://api.telegram.org";

export interface TelegramSetting {
  baseUrl: string;
  mode: StreamingMode;
  token: string;
}

const ANSWER_MS = 10_000;
const ANSWER_BYTES = 256 << 10;
const MAX_CHARS = 4_096;

/** Sends plain text into the chat, or its topic, that a conversation is. */
export const telegram = (setting: TelegramSetting): Platform => ({
  name: "telegram",
  mode: setting.mode,
  // Room for what keeps words from calling everybody.
  maxChars: MAX_CHARS - 96,
  async sendMessage(message, quit) {
    const [chat = "", topic] = message.conversation.split(":");
    const json = {
      chat_id: Number(chat),
      ...(topic ? { message_thread_id: Number(topic) } : {}),
      // Without parse_mode, so that nothing in an agent's words is markup.
      text: shown(message),
      link_preview_options: { is_disabled: true },
    };
    const called = await callTelegram(setting, "sendMessage", json, {
      timeoutMs: ANSWER_MS,
      maxBytes: ANSWER_BYTES,
      quit,
    });
    return called.is === "ok" ? { is: "sent" } : called;
  },
});

const shown = ({ content, role }: OutgoingMessage): string =>
  uncalled(role === "system" ? content.replace(/\*\*([^*\n]+)\*\*/g, "$1") : content).slice(0, MAX_CHARS);

type TelegramCalled = { is: "ok"; result: TelegramAnswer["result"] } | SendFailure;

interface CallBounds {
  timeoutMs: number;
  maxBytes: number;
  quit: AbortSignal;
}

/** Calls a method of the bot interface. The token is a part of the URL, which nothing repeats. */
export async function callTelegram(
  { baseUrl, token }: Pick<TelegramSetting, "baseUrl" | "token">,
  method: string,
  json: unknown,
  { timeoutMs, maxBytes, quit }: CallBounds,
): Promise<TelegramCalled> {
  const answered = await postForAnswer({ url: `${baseUrl}/bot${token}/${method}`, json, timeoutMs, quit }, maxBytes);
  if (answered.is === "failed") return answered;
  const { status, text, retryAfterMs } = answered;
  const answer = readTelegramAnswer(text);
  if (answer?.ok) return { is: "ok", result: answer.result };
  const sent = answer ? null : sentBy(answered);
  if (sent?.is === "failed") return sent;
  const afterS = answer?.parameters?.retry_after;
  const why = answer ? `Telegram says ${answer.description ?? `HTTP ${status}`}` : "an answer that is not Telegram's";
  const mend = status === 401 || status === 404 ? `: ${TELEGRAM_TOKEN} is not accepted` : "";
  return failed(`${why}${mend}`, isWorthAnother(status), afterS === undefined ? retryAfterMs : afterS * 1_000);
}
