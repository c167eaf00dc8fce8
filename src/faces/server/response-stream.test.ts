import { expect, onTestFinished, test, vi } from "vitest";
import { PATIENT } from "../../../test/support/patience.ts";
import { RalphError } from "../../core/errors.ts";
import { listen } from "./listen.ts";
import { streamed } from "./response-stream.ts";

/** What the stream asks of its server. */
function serverOf() {
  const seen = { logged: [] as string[], cut: 0 };
  const closing = new AbortController();
  const log = (line: string) => void seen.logged.push(line);
  const { signal } = closing;
  return { seen, stop: () => closing.abort(), media: "text/plain", closing: signal, log, cut: () => void seen.cut++ };
}

/** A source that counts how often it was read, and whether it was closed. */
function counting() {
  const seen = { asked: 0, quit: false, done: 0 };
  const source = async function* (quit: AbortSignal) {
    quit.addEventListener("abort", () => {
      seen.quit = true;
    });
    while (!quit.aborted) yield `${++seen.asked}\n`;
    yield "bye\n";
  };
  return { seen, source };
}

const readerOf = (response: Response) =>
  (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream(), { preventCancel: false })
    .getReader();

const readerFrom = (response: Response) => (response.body as ReadableStream<Uint8Array>).getReader();

test("a source is read no further than its reader", async () => {
  const { seen, source } = counting();
  const reader = readerFrom(streamed(serverOf(), source));
  await new Promise((done) => setTimeout(done, 20));
  expect(seen.asked).toBe(0);
  for (const n of [1, 2, 3]) {
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(`${n}\n`);
    expect(seen.asked).toBe(n);
  }
  await reader.cancel();
  expect(seen).toMatchObject({ asked: 3, quit: true });
});

test("it ends with the server, after a last message", async () => {
  const { seen, source } = counting();
  const server = serverOf();
  const done = () => void seen.done++;
  const reader = readerOf(streamed({ ...server, done }, source));
  await reader.read();
  server.stop();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  expect(text).toMatch(/bye\n$/);
  expect([seen.done, server.seen]).toEqual([1, { logged: [], cut: 0 }]);
});

test("a reader that reads nothing is disconnected", async () => {
  const { seen, source } = counting();
  const server = serverOf();
  const done = () => void seen.done++;
  const reader = readerFrom(streamed({ ...server, done, stalledMs: 1 }, source));
  await reader.read();
  await vi.waitFor(() => expect(server.seen).toEqual({ logged: [], cut: 1 }), PATIENT);
  expect((await reader.read()).done).toBe(true);
  expect(seen).toMatchObject({ asked: 1, quit: true, done: 1 });
});

test("one that never connects, too", async () => {
  const { seen, source } = counting();
  const server = serverOf();
  streamed({ ...server, done: () => void seen.done++, stalledMs: 1 }, source);
  await vi.waitFor(() => expect([seen, server.seen.cut]).toMatchObject([{ asked: 0, done: 1 }, 1]), PATIENT);
});

test("who leaves while a source is read is no error, and frees its slot once", async () => {
  const server = serverOf();
  let slots = 1;
  const source = async function* (quit: AbortSignal) {
    yield "one";
    await new Promise((left) => quit.addEventListener("abort", left));
    throw new Error("left");
  };
  const reader = readerFrom(streamed({ ...server, done: () => void slots-- }, source));
  await reader.read();
  const pending = reader.read();
  await reader.cancel();
  expect((await pending).done).toBe(true);
  await new Promise((after) => setImmediate(after));
  expect([slots, server.seen]).toEqual([0, { logged: [], cut: 0 }]);
});

test.each<[string, Error, string]>([
  ["a bug", new Error("no \u001b]0;x\u0007more"), "a stream has ended early: a bug: Error: no \u001b]0;x\u0007more\n"],
  ["an error that says what to do", new RalphError("x", "it is full", { hint: "free it" }), "it is full: free it"],
])("%s of a source is logged once, and cuts the connection", async (_name, error, expected) => {
  const server = serverOf();
  const printed = (["error", "info", "log", "warn"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  onTestFinished(() => printed.forEach((spy) => void spy.mockRestore()));
  for (const before of [0, 1, 5]) {
    const failing = async function* () {
      for (let i = 0; i < before; i++) yield "some text\n";
      throw error;
    };
    const listening = await listen((_request, { cut }) => streamed({ ...server, cut }, failing), "127.0.0.1", 0);
    onTestFinished(() => listening.close(0));
    await expect(fetch(listening.url).then((response) => response.text())).rejects.toThrow();
  }
  expect(server.seen.logged).toEqual(Array(3).fill(expect.stringContaining(expected)));
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});
