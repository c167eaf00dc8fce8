/** A client that reads nothing for this long is disconnected, to free its slot. */
const STALLED_MS = 120_000;

interface Streaming {
  media: string;
  /** Aborted when the server stops. */
  closing: AbortSignal;
  /** Called once, however it ends. */
  done?: () => void;
  stalledMs?: number;
}

/**
 * A response whose text is produced while it is read: the next piece is requested only once the last one was read. The
 * source is aborted when the client disconnects or the server stops.
 */
export function streamed(
  { media, closing, done = () => undefined, stalledMs = STALLED_MS }: Streaming,
  sourceOf: (quit: AbortSignal) => AsyncGenerator<string>,
): Response {
  const gone = new AbortController();
  const source = sourceOf(AbortSignal.any([gone.signal, closing]));
  const encoder = new TextEncoder();
  let stalled: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(stalled);
    gone.abort();
    done();
    await source.return(undefined);
  };
  const waitForReader = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stalled = setTimeout(() => {
      controller.error(new Error("the reader has stalled"));
      void end();
    }, stalledMs);
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
          if (next.done) {
            await end();
            return controller.close();
          }
          controller.enqueue(encoder.encode(next.value));
        } catch (error) {
          await end();
          return controller.error(error);
        }
        if (!gone.signal.aborted) waitForReader(controller);
      },
      cancel: end,
    },
    // Nothing is produced ahead.
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": `${media}; charset=utf-8` } });
}
