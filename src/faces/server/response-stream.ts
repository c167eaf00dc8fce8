import { reportOf } from "./refusal.ts";

/** A client that reads nothing for this long is disconnected, to free its slot. */
const STALLED_MS = 120_000;

interface Streaming {
  media: string;
  /** Aborted when the server stops. */
  closing: AbortSignal;
  /** One line for the operator of the server. */
  log(line: string): void;
  /** Ends the connection: the client sees that the answer is not complete. */
  cut(): void;
  /** Called once, when the source has ended: until then it may still be reading. */
  done?: () => void;
  stalledMs?: number;
}

/**
 * A response whose text is produced while it is read: the next piece is requested only once the last one was read. The
 * source is aborted when the client disconnects or the server stops. An error of the source is logged here: the HTTP
 * library would print it as it is, and what it says may come from files of others.
 */
export function streamed(
  { media, closing, log, cut, done = () => undefined, stalledMs = STALLED_MS }: Streaming,
  sourceOf: (quit: AbortSignal) => AsyncGenerator<string>,
): Response {
  const gone = new AbortController();
  const source = sourceOf(AbortSignal.any([gone.signal, closing]));
  const encoder = new TextEncoder();
  let stalled: NodeJS.Timeout | undefined;
  let ended: Promise<void> | undefined;
  const close = async () => {
    clearTimeout(stalled);
    gone.abort();
    try {
      await source.return(undefined).catch(report);
    } finally {
      done();
    }
  };
  const end = () => {
    ended ??= close();
    return ended;
  };
  const report = (error: unknown) => log(`a stream has ended early: ${reportOf(error)}`);
  const breakOff = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    cut();
    controller.close();
    await end();
  };
  const waitForReader = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stalled = setTimeout(() => void breakOff(controller), stalledMs);
    stalled.unref();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      // A client may disconnect before its first read.
      start: waitForReader,
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const next = await source.next();
          // The client may have left meanwhile.
          if (gone.signal.aborted) return;
          if (next.done) {
            controller.close();
            return await end();
          }
          controller.enqueue(encoder.encode(next.value));
          waitForReader(controller);
        } catch (error) {
          if (gone.signal.aborted) return;
          report(error);
          await breakOff(controller);
        }
      },
      cancel: end,
    },
    // Nothing is produced ahead.
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": `${media}; charset=utf-8` } });
}
