import { expect, test } from "vitest";
import { chatServer } from "../../../test/support/chat-server.ts";
import type { Outbound, OutgoingMessage, Sent } from "../../core/platform.ts";
import type { Conversation } from "../../core/workflow/events.ts";
import type { NewMessage } from "../../core/workflow/store.ts";
import type { Retries } from "./deliver.ts";
import { openOutbox } from "./outbox.ts";
import { openPlatforms } from "./platforms.ts";

const QUICK: Retries = { tries: 3, firstPauseMs: 1, withinMs: 5_000 };
const HARDER: Retries = { tries: 6, firstPauseMs: 1, withinMs: 10_000 };

function onSlack(baseUrl: string): Outbound | null {
  const env = { SLACK_BOT_TOKEN: "xoxb-SECRET", SLACK_SIGNING_SECRET: "s" };
  return openPlatforms({ settings: { slack: { baseUrl } }, env }).get("slack")?.outbound ?? null;
}

/** A platform in this process, with an answer for each message. */
function platform(answer: (message: OutgoingMessage, n: number) => Sent | Promise<Sent>, maxChars = 1_000) {
  const got: string[] = [];
  let n = 0;
  const one: Outbound = {
    mode: "batch",
    maxChars,
    async send(message) {
      const sent = await answer(message, ++n);
      if (sent.is === "sent") got.push(`${message.conversation}: ${message.content}`);
      return sent;
    },
  };
  return { one, got };
}

const down: Sent = { is: "failed", why: "HTTP 500", again: true };
const sent: Sent = { is: "sent" };

function outboxWith(one: Outbound | null, more: { closeMs?: number; isBroken?: boolean } = {}) {
  const recorded: NewMessage[] = [];
  const lines: string[] = [];
  const late: string[] = [];
  const outbox = openOutbox({
    runs: {
      async hear(message, _run, atMs) {
        if (more.isBroken) throw new Error("the disk is full");
        recorded.push(message);
        return { id: recorded.length, role: message.role, content: message.content, run: message.run, atMs };
      },
    },
    outbounds: new Map(one ? [["chat", one]] : []),
    log: (line) => void lines.push(line),
    retries: { usual: QUICK, critical: HARDER },
    onLateDrop: (run) => void late.push(run),
    ...(more.closeMs === undefined ? {} : { closeMs: more.closeMs }),
  });
  return { outbox, recorded, lines, late };
}

const chat = (id: string): Conversation => ({ platform: "chat", id });

test("a conversation over HTTP is only recorded", async () => {
  const { outbox, recorded } = outboxWith(null);
  const reporter = outbox.reporter({ platform: "http", id: "c" }, "r1");
  expect(reporter.mode).toBe("stream");
  reporter.report({ kind: "progress", text: "**Iteration 1/3**" });
  reporter.report({ kind: "assistant", text: "working" });
  reporter.report({ kind: "tool", text: "ran a command" });
  expect(await reporter.close()).toEqual({ dropped: 0 });
  expect(recorded.map(({ role, content, run }) => [role, content, run])).toEqual([
    ["system", "**Iteration 1/3**", "r1"],
    ["assistant", "working", "r1"],
    ["assistant", "ran a command", "r1"],
  ]);
});

test("messages are sent in order despite failures, and conversations do not wait for each other", async () => {
  const { one, got } = platform(async ({ conversation }, n) => {
    if (conversation === "a") await new Promise((done) => setTimeout(done, n % 3));
    if (n % 4 !== 0) return sent;
    return { ...down, afterMs: 1 };
  });
  const { outbox, recorded, lines } = outboxWith(one);
  const ids = ["a", "b", "c"];
  for (let i = 0; i < 20; i++)
    for (const id of ids)
      outbox.post({ conversation: chat(id), content: String(i), role: "system", run: null, critical: false });
  expect(await outbox.close(5_000)).toEqual({ dropped: 0 });
  for (const id of ids) {
    const wanted = Array.from({ length: 20 }, (_, i) => `${id}: ${i}`);
    expect(got.filter((line) => line.startsWith(id))).toEqual(wanted);
    expect(recorded.filter((one) => one.conversation.id === id).map(({ content }) => content)).toEqual(
      wanted.map((line) => line.slice(3)),
    );
  }
  expect(lines).toEqual([]);
});

test("a message that cannot be delivered is counted and logged, and the rest is sent", async () => {
  const { one, got } = platform(({ content }) => (content === "bad" ? down : sent));
  const { outbox, recorded, lines } = outboxWith(one);
  const reporter = outbox.reporter(chat("a"), "r1");
  for (const text of ["one", "bad", "two"]) reporter.report({ kind: "assistant", text });
  expect(await reporter.close()).toEqual({ dropped: 1 });
  expect(got).toEqual(["a: one", "a: two"]);
  expect(recorded).toHaveLength(3);
  expect(lines).toEqual(["chat:a: a message could not be sent: HTTP 500, after 3 tries"]);
});

test("critical messages are retried longer; a failure that no retry can fix is tried once", async () => {
  const tries: string[] = [];
  const { one } = platform(({ content }) => {
    tries.push(content);
    return content === "refused" ? { is: "failed", why: "no such channel", again: false } : down;
  });
  const { outbox, lines } = outboxWith(one);
  const reporter = outbox.reporter(chat("a"), "r1");
  reporter.report({ kind: "assistant", text: "usual" });
  reporter.report({ kind: "progress", text: "critical", critical: true });
  reporter.report({ kind: "assistant", text: "refused" });
  expect(await reporter.close()).toEqual({ dropped: 3 });
  expect(["usual", "critical", "refused"].map((text) => tries.filter((one) => one === text).length)).toEqual([3, 6, 1]);
  expect(lines.at(-1)).toBe("chat:a: a message could not be sent: no such channel");
});

test("a platform that asks for a longer wait than allowed is not waited for", async () => {
  const { one } = platform(() => ({ ...down, afterMs: 60_000 }));
  const { outbox, lines } = outboxWith(one);
  const reporter = outbox.reporter(chat("a"), "r1");
  reporter.report({ kind: "assistant", text: "x" });
  expect(await reporter.close()).toEqual({ dropped: 1 });
  expect(lines).toEqual(["chat:a: a message could not be sent: HTTP 500, and waiting 60s more would take too long"]);
});

test("a platform that throws has failed", async () => {
  const { one } = platform(() => Promise.reject(new Error("a bug")));
  const { outbox, lines } = outboxWith(one);
  const reporter = outbox.reporter(chat("a"), "r1");
  reporter.report({ kind: "assistant", text: "x" });
  expect(await reporter.close()).toEqual({ dropped: 1 });
  expect(lines).toEqual(["chat:a: a message could not be sent: a bug"]);
});

test("when too many wait, the oldest that is not critical is dropped", async () => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((open) => {
    go = open;
  });
  const { one, got } = platform(async () => {
    await gate;
    return sent;
  });
  const { outbox, recorded } = outboxWith(one);
  const reporter = outbox.reporter(chat("a"), "r1");
  reporter.report({ kind: "progress", text: "first" });
  reporter.report({ kind: "progress", text: "critical", critical: true });
  for (let i = 0; i < 150; i++) reporter.report({ kind: "assistant", text: String(i) });
  await outbox.recorded();
  go();
  expect(await reporter.close()).toEqual({ dropped: 51 });
  expect(recorded).toHaveLength(152);
  expect(got.slice(0, 3)).toEqual(["a: first", "a: critical", "a: 51"]);
  expect(got).toHaveLength(101);
});

test("the end of a run waits a bounded time; a message that is dropped later is noted later", async () => {
  const { one } = platform(
    () => new Promise<Sent>((done) => setTimeout(done, 100, { is: "failed", why: "gone", again: false })),
  );
  const { outbox, late } = outboxWith(one, { closeMs: 10 });
  const reporter = outbox.reporter(chat("a"), "r1");
  reporter.report({ kind: "assistant", text: "x" });
  expect(await reporter.close()).toEqual({ dropped: 0 });
  expect(await outbox.close(5_000)).toEqual({ dropped: 1 });
  expect(late).toEqual(["r1"]);
});

test("the end of the server drops pending messages", async () => {
  const { url } = await chatServer(() => null);
  const { outbox } = outboxWith(onSlack(url));
  for (const content of ["one", "two"])
    outbox.post({ conversation: chat("C1:1.2"), content, role: "system", run: null, critical: true });
  expect(await outbox.close(20)).toEqual({ dropped: 2 });
});

test("a message that cannot be recorded is still sent if possible, and counted if not", async () => {
  const { one, got } = platform(() => sent);
  const { outbox, lines } = outboxWith(one, { isBroken: true });
  outbox.post({ conversation: chat("a"), content: "x", role: "system", run: null, critical: false });
  outbox.post({
    conversation: { platform: "http", id: "b" },
    content: "y",
    role: "system",
    run: null,
    critical: false,
  });
  expect(await outbox.close(1_000)).toEqual({ dropped: 1 });
  expect(got).toEqual(["a: x"]);
  expect(lines.sort()).toEqual([
    "chat:a: a message could not be recorded: the disk is full",
    "http:b: a message could not be recorded: the disk is full",
  ]);
});

test("a long message arrives in pieces and in order, is limited on its way, and names no token anywhere", async () => {
  const { url, calls } = await chatServer((_call, n) =>
    n === 2
      ? { status: 429, headers: { "retry-after": "0" }, json: { ok: false, error: "ratelimited" } }
      : n === 3
        ? { status: 500 }
        : { json: { ok: true } },
  );
  const { outbox, lines } = outboxWith(onSlack(url));
  const text = Array.from({ length: 300 }, (_, i) => `line ${i} of a long report`).join("\n");
  const reporter = outbox.reporter(chat("C1:1.2"), "r1");
  reporter.report({ kind: "assistant", text });
  reporter.report({ kind: "assistant", text: "after" });
  expect(await reporter.close()).toEqual({ dropped: 0 });
  const told = calls.filter((_, i) => i !== 1 && i !== 2).map(({ json }) => String(json.text));
  expect(told.join("")).toBe(`${text}after`);
  expect(Math.max(...told.map((piece) => piece.length))).toBeLessThanOrEqual(3_000);
  expect(lines).toEqual([]);
});
