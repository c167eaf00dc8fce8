import { expect, test } from "vitest";
import type { Feed, FeedEntry } from "../../core/feed.ts";
import { openEventHub } from "./event-hub.ts";
import { eventText } from "./event-stream.ts";

/** A feed of messages that can grow. */
function growing(): Feed & { add(subject: string): void } {
  const entries: FeedEntry[] = [];
  return {
    add(subject) {
      const id = entries.length + 1;
      const event = { id, role: "user" as const, content: "line\nbreak", atMs: 0, run: null };
      entries.push({ id, kind: "message", subject, seq: id, atMs: 0, event });
    },
    after: async (id, limit) => entries.filter((entry) => entry.id > id).slice(0, limit),
    last: async () => entries.length,
  };
}

const ALL = { after: 0, kinds: null, subject: null };

test("the number of streams is limited, and a closed one makes room", () => {
  const hub = openEventHub(growing(), { all: 2, one: 2, programs: 2 });
  const leave = hub.enter();
  hub.enter();
  expect(() => hub.enter()).toThrow("2 streams are open already");
  leave();
  leave();
  expect(hub.clients()).toBe(1);
  hub.enter();
});

test("one browser cannot take all streams", () => {
  const hub = openEventHub(growing(), { all: 4, one: 2, programs: 2 });
  const [mine, other] = [{}, {}];
  const leave = hub.enter(mine);
  hub.enter(mine);
  expect(() => hub.enter(mine)).toThrow("2 streams are open already");
  hub.enter(other);
  leave();
  hub.enter(mine);
  expect(hub.clients()).toBe(3);
  hub.enter();
  expect(() => hub.enter(other)).toThrow("4 streams are open already");
});

test("programs and viewers leave places for browsers that are logged in", () => {
  const hub = openEventHub(growing());
  const fill = (owner: "programs" | "viewers") => {
    for (let open = 0; open < 100; open++) hub.enter(owner);
  };
  expect(() => fill("programs")).toThrow("32 streams are open already");
  expect(() => fill("viewers")).toThrow("24 streams are open already");
  expect(hub.clients()).toBe(56);
  hub.enter({});
});

test("a waiting reader is woken by an entry, the timeout, and the end", async () => {
  const feed = growing();
  const hub = openEventHub(feed);
  const quit = new AbortController();
  const woken = Promise.all([hub.news(0, 60_000, quit.signal), hub.news(0, 60_000, quit.signal)]);
  feed.add("a");
  await woken;
  await hub.news(1, 1, quit.signal);
  const ended = hub.news(1, 60_000, quit.signal);
  quit.abort();
  await ended;
  await hub.news(1, 60_000, quit.signal);
});

test("a reader with an id of an earlier journal gets new entries", async () => {
  const feed = growing();
  feed.add("a");
  const quit = new AbortController();
  const events = eventText(feed, openEventHub(feed), { ...ALL, after: 99 }, quit.signal);
  expect((await events.next()).value).toBe("retry: 2000\nid: 1\n\n");
  feed.add("b");
  expect((await events.next()).value).toContain("id: 2\nevent: message\n");
  quit.abort();
});

test("pages follow each other, an entry is one event, and filtered entries advance the position", async () => {
  const feed = growing();
  for (let i = 0; i < 120; i++) feed.add(i === 60 ? "b" : "a");
  const quit = new AbortController();
  let [text, pages] = ["", 0];
  for await (const piece of eventText(feed, openEventHub(feed), { ...ALL, subject: "b" }, quit.signal)) {
    text += piece;
    if (++pages === 4) quit.abort();
  }
  expect(text.match(/^event: message$/gm)).toHaveLength(1);
  expect(text).toMatch(
    /^retry: 2000\nid: 0\n\nid: 50\n\nid: 61\nevent: message\ndata: \{.*\}\n\nid: 100\n\nid: 120\n\n/,
  );
  expect(text).toMatch(/: the server is stopping\n\n$/);
});
