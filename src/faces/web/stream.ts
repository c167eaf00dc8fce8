import type { BoardChange, BoardView } from "../../core/view/board.ts";
import { eventsIn } from "./event-text.ts";

/** What a stream reports. `refused`: the session is not valid any more; it does not try again. */
export type StreamNews =
  | { is: "view"; view: BoardView }
  | { is: "change"; change: BoardChange }
  | { is: "lost" }
  | { is: "refused" };

/** The waiting times between two attempts to connect. */
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 10_000];

export interface StreamRequest {
  url: string;
  key: string;
  onNews(news: StreamNews): void;
  backoffMs?: readonly number[];
}

/** Follows the live view until it is closed, and connects again when the connection is lost. */
export function openStream({ url, key, onNews, backoffMs = BACKOFF_MS }: StreamRequest): { close(): void } {
  const quit = new AbortController();
  void (async () => {
    for (let failures = 0; !quit.signal.aborted; failures++) {
      const end = await readStream({ url, key, quit: quit.signal, onNews });
      if (quit.signal.aborted) return;
      onNews({ is: end === "refused" ? "refused" : "lost" });
      if (end === "refused") return;
      if (end === "ended") failures = 0;
      await pause(backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0, quit.signal);
    }
  })();
  return { close: () => quit.abort() };
}

interface Reading {
  url: string;
  key: string;
  quit: AbortSignal;
  onNews(news: StreamNews): void;
}

/** `ended`: it was connected and the connection is gone; `failed`: it could not connect. */
async function readStream({ url, key, quit, onNews }: Reading): Promise<"ended" | "failed" | "refused"> {
  let connected = false;
  try {
    const response = await fetch(url, { headers: { "X-Ralph-Key": key }, credentials: "same-origin", signal: quit });
    if (response.status === 401) return "refused";
    if (!response.ok || !response.body) return "failed";
    for await (const { event, data } of eventsIn(textOf(response.body))) {
      connected = true;
      if (event === "view") onNews({ is: "view", view: JSON.parse(data) as BoardView });
      if (event === "change") onNews({ is: "change", change: JSON.parse(data) as BoardChange });
    }
    return connected ? "ended" : "failed";
  } catch {
    // Whatever ends a connection, the next attempt is the answer.
    return connected ? "ended" : "failed";
  }
}

/** Streams are not iterable in every browser. */
export async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      yield decoder.decode(read.value, { stream: true });
  } finally {
    reader.releaseLock();
  }
}

function pause(ms: number, quit: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      quit.removeEventListener("abort", done);
      resolve();
    }
    quit.addEventListener("abort", done);
  });
}
