import { expect, test } from "vitest";
import { type Call, chatServer } from "../../../test/support/chat-server.ts";
import type { PlatformMessage } from "../../core/platform.ts";
import { followTelegram, readUpdate } from "./telegram.ts";

const TOKEN = "12:SECRET";
const message = (more: object = {}) => ({
  message_id: 5,
  chat: { id: 7, type: "private" },
  text: "run ralph",
  ...more,
});

const said = (conversation: string, text: string) => ({
  is: "message",
  message: { conversation, text, externalId: expect.stringMatching(/^-?\d+:5$/) },
});

test.each<[string, object, object]>([
  ["text in a chat", message(), said("7", "run ralph")],
  ["a command", message({ text: "/status@ralph_bot" }), said("7", "status")],
  ["a command with arguments", message({ text: "/run ralph: fix it" }), said("7", "run ralph: fix it")],
  ["the first message of every chat", message({ text: "/start" }), said("7", "help")],
  ["a mention of the bot in front", message({ text: "@ralph_bot cancel" }), said("7", "cancel")],
  ["a topic", message({ is_topic_message: true, message_thread_id: 9 }), said("7:9", "run ralph")],
  ["a chat that is not in the settings", message({ chat: { id: 8 } }), { is: "refused", chat: 8 }],
  ["a bot", message({ from: { is_bot: true } }), { is: "ignored" }],
  ["a picture", message({ text: undefined }), { is: "ignored" }],
])("%s", (_name, one, heard) => {
  expect(readUpdate({ update_id: 1, message: one as never }, [7])).toEqual(heard);
});

/** Plays Telegram: updates stay there until a request with a higher offset confirms them. */
function telegramWith(updates: { update_id: number; message?: object }[], troubles: object[] = []) {
  return (call: Call) => {
    if (!call.path.endsWith("/getUpdates")) return { json: { ok: true, result: {} } };
    const trouble = troubles.shift();
    if (trouble) return { status: 500, json: trouble };
    const from = Number(call.json.offset ?? 0);
    return { json: { ok: true, result: updates.filter(({ update_id }) => update_id >= from) } };
  };
}

test("accepted messages are confirmed, failed ones come again, and unknown chats get their number once", async () => {
  const updates = [
    { update_id: 1, message: message({ message_id: 1, text: "one" }) },
    { update_id: 2, message: message({ message_id: 2, chat: { id: 8 } }) },
    { update_id: 3, message: { nonsense: true } },
    { update_id: 4, message: message({ message_id: 4, chat: { id: 8 } }) },
    { update_id: 5, message: message({ message_id: 5, text: "two" }) },
  ];
  const { url, calls } = await chatServer(telegramWith(updates, [{ ok: false, description: "Internal" }]));
  const quit = new AbortController();
  const heard: PlatformMessage[] = [];
  const lines: string[] = [];
  let failures = 1;
  await followTelegram({
    baseUrl: url,
    token: TOKEN,
    chats: [7],
    waitS: 0,
    quit: quit.signal,
    log: (line) => void lines.push(line),
    async accept(incoming) {
      if (incoming.text === "two" && failures-- > 0) throw new Error("the disk is full");
      heard.push(incoming);
      if (incoming.text === "two") quit.abort();
      return { conversationId: incoming.conversation, runId: null, isNew: true };
    },
  });
  expect(heard.map(({ text }) => text)).toEqual(["one", "two"]);
  expect(calls.filter(({ path }) => path.endsWith("/sendMessage")).map(({ json }) => json)).toEqual([
    { chat_id: 8, text: expect.stringContaining("add 8 to platforms.telegram.chats") },
  ]);
  expect(lines).toEqual([
    "no messages are received (Telegram answered Internal); trying again in 1s",
    "chat 8 is not in platforms.telegram.chats, and was answered with its number",
    "a message is left for later: the disk is full",
  ]);
  expect(lines.join()).not.toContain("SECRET");
  expect(calls.filter(({ path }) => path.endsWith("/getUpdates")).map(({ json }) => json.offset)).toEqual([
    undefined,
    undefined,
    5,
  ]);
});

test("a pending poll is aborted at once", async () => {
  const { url, calls } = await chatServer(() => null);
  const quit = new AbortController();
  const following = followTelegram({
    baseUrl: url,
    token: TOKEN,
    chats: [],
    quit: quit.signal,
    log: () => undefined,
    accept: async ({ conversation }) => ({ conversationId: conversation, runId: null, isNew: true }),
  });
  await expect.poll(() => calls.length).toBe(1);
  quit.abort();
  await following;
  expect(calls).toHaveLength(1);
});
