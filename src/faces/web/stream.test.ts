import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { changed } from "../../core/view/board.ts";
import { eventsIn, type ServerEvent } from "./event-text.ts";
import { openStream, type StreamNews } from "./stream.ts";

const VIEW = { at: 1, cards: [], executions: [], loops: [], totals: null };
const CHANGE = {
  at: 2,
  cards: [],
  gone: [],
  order: null,
  executions: null,
  loops: [],
  totals: null,
  subjects: ["task/T-1"],
};
const frame = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

test.each([1, 2, 7, 1_000])("events are the same in chunks of %i", async (size) => {
  const text = ': hello\n\nevent: view\ndata: {"a":1}\n\nid: 3\r\ndata: one\r\ndata: two\r\n\r\ndata: cut';
  async function* chunks() {
    for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
  }
  const events: ServerEvent[] = [];
  for await (const event of eventsIn(chunks())) events.push(event);
  expect(events).toEqual([
    { event: "view", data: '{"a":1}' },
    { event: "message", data: "one\ntwo" },
  ]);
});

test("a stream reports the view and its changes, connects again, and gives up when the session has ended", async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.end(frame("view", VIEW) + frame("change", CHANGE)),
    (response) => response.writeHead(503).end(),
    (response) => response.end(frame("view", { ...VIEW, at: 3 })),
    (response) => response.writeHead(401).end(),
  ];
  const keys: unknown[] = [];
  const server = await listening((request, response) => {
    keys.push(request.headers["x-ralph-key"]);
    answers.shift()?.(response);
  });
  const news: StreamNews[] = [];
  await new Promise<void>((resolve) => {
    openStream({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/live`,
      key: "secret",
      backoffMs: [1],
      onNews: (one) => {
        news.push(one);
        if (one.is === "refused") resolve();
      },
    });
  });
  expect(news.map(({ is }) => is)).toEqual(["view", "change", "lost", "lost", "view", "lost", "refused"]);
  expect(keys).toEqual(["secret", "secret", "secret", "secret"]);
  const [first, second] = news;
  if (first?.is !== "view" || second?.is !== "change") throw new Error("expected a view and a change");
  expect(changed(first.view, second.change).at).toBe(2);
});

test("a connection that says nothing is replaced", async () => {
  let connections = 0;
  const server = await listening((_, response) => {
    connections++;
    if (connections === 1) response.write(frame("view", VIEW));
    else response.writeHead(401).end();
  });
  const news: string[] = [];
  await new Promise<void>((resolve) => {
    openStream({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/live`,
      ...{ key: "secret", backoffMs: [1], silentMs: 200 },
      onNews: ({ is }) => {
        news.push(is);
        if (is === "refused") resolve();
      },
    });
  });
  expect(news.at(-1)).toBe("refused");
  expect(news).toContain("lost");
});

async function listening(handle: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return server;
}
