import { expect, test } from "vitest";
import { streamed } from "./response-stream.ts";

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

test("a source is read no further than its reader", async () => {
  const { seen, source } = counting();
  const response = streamed({ media: "text/plain", closing: new AbortController().signal }, source);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
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
  const closing = new AbortController();
  const done = () => void seen.done++;
  const reader = readerOf(streamed({ media: "text/plain", closing: closing.signal, done }, source));
  await reader.read();
  closing.abort();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  expect(text).toMatch(/bye\n$/);
  expect(seen.done).toBe(1);
});

test("a reader that reads nothing is disconnected", async () => {
  const { seen, source } = counting();
  const done = () => void seen.done++;
  const response = streamed({ media: "text/plain", closing: new AbortController().signal, done, stalledMs: 1 }, source);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await new Promise((after) => setTimeout(after, 50));
  await expect(reader.read()).rejects.toThrow("stalled");
  expect(seen).toMatchObject({ asked: 1, quit: true, done: 1 });
});

test("one that never connects, too", async () => {
  const { seen, source } = counting();
  const done = () => void seen.done++;
  streamed({ media: "text/plain", closing: new AbortController().signal, done, stalledMs: 1 }, source);
  await new Promise((after) => setTimeout(after, 50));
  expect(seen).toMatchObject({ asked: 0, done: 1 });
});

test("an error of the source ends the stream", async () => {
  const failing = async function* () {
    yield "one";
    throw new Error("no more");
  };
  const response = streamed({ media: "text/plain", closing: new AbortController().signal }, failing);
  await expect(response.text()).rejects.toThrow("no more");
});
