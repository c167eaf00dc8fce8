import type { BoardChange, BoardView } from "../../core/view/board.ts";
import { eventsIn } from "./event-text.ts";

/** What a stream reports. `refused`: the session is not valid any more; it does not try again. */
export type StreamNews =
  | { is: "view"; view: BoardView }
  | { is: "change"; change: BoardChange }
  /** Why the server cannot read the journal now; null: it can again. */
  | { is: "problem"; problem: string | null }
  | { is: "lost" }
  | { is: "refused" };

/** The waiting times between two attempts to connect. */
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 10_000];

export interface StreamRequest {
  url: string;
  key: string;
  onNews(news: StreamNews): void;
  backoffMs?: readonly number[];
  silentMs?: number;
}

/** Three times as long as the server is silent. */
const SILENT_MS = 45_000;

/** Follows the live view until it is closed, and connects again when the connection is lost. */
export function openStream({ url, key, onNews, backoffMs = BACKOFF_MS, silentMs = SILENT_MS }: StreamRequest): {
  close(): void;
} {
  const quit = new AbortController();
  void (async () => {
    for (let failures = 0; !quit.signal.aborted; failures++) {
      const end = await readStream({ url, key, quit: quit.signal, silentMs, onNews });
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
  silentMs: number;
  onNews(news: StreamNews): void;
}

/** `ended`: it was connected and the connection is gone; `failed`: it could not connect. */
async function readStream({ url, key, quit, silentMs, onNews }: Reading): Promise<"ended" | "failed" | "refused"> {
  const watch = watchdog(silentMs, quit);
  let connected = false;
  try {
    const headers = { "X-Ralph-Key": key };
    const response = await fetch(url, { headers, credentials: "same-origin", signal: watch.signal });
    if (response.status === 401) return "refused";
    if (!response.ok || !response.body) return "failed";
    for await (const { event, data } of eventsIn(textOf(response.body, watch.alive))) {
      connected = true;
      if (event === "view") onNews({ is: "view", view: JSON.parse(data) as BoardView });
      if (event === "change") onNews({ is: "change", change: JSON.parse(data) as BoardChange });
      if (event === "problem") onNews({ is: "problem", problem: JSON.parse(data) as string | null });
    }
    return connected ? "ended" : "failed";
  } catch {
    // The next attempt is the answer, however a connection ends.
    return connected ? "ended" : "failed";
  } finally {
    watch.close();
  }
}

/** Aborts a connection that says nothing: after a sleep, a dead one looks like a silent one. */
function watchdog(silentMs: number, quit: AbortSignal) {
  const controller = new AbortController();
  const end = () => controller.abort();
  let timer = setTimeout(end, silentMs);
  quit.addEventListener("abort", end);
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(timer);
      timer = setTimeout(end, silentMs);
    },
    close() {
      clearTimeout(timer);
      quit.removeEventListener("abort", end);
      end();
    },
  };
}

/** The text of a body as it arrives. Streams are not iterable in every browser. */
export async function* textOf(body: ReadableStream<Uint8Array>, alive?: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      alive?.();
      yield decoder.decode(read.value, { stream: true });
    }
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
