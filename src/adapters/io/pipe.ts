import type { Readable } from "node:stream";
import { timer } from "./timer.ts";

/** Receives a piece of output. A returned promise pauses the stream until it resolves. */
export type Sink = (chunk: Buffer) => Promise<void> | undefined;

export interface Pipe {
  stream: Readable;
  /** The time of the last output, and whether the sink currently pauses the stream. */
  lastMs: number;
  paused: boolean;
  closed: boolean;
  /** Discards what follows, so that a process that keeps the stream open can write to it. */
  letGo(): void;
  /** Resolves when all output has been read; rejects with the sink's error. */
  done: Promise<void>;
  /** Resolves only if the sink failed. */
  failed: Promise<void>;
}

/** Reads a stream into the sink, with backpressure. */
export function pump(stream: Readable | null, sink: Sink): Pipe {
  if (!stream) throw new Error("the process was started without pipes");
  const pipe: Pipe = {
    stream,
    lastMs: performance.now(),
    paused: false,
    closed: false,
    letGo: () => undefined,
    done: Promise.resolve(),
    failed: never,
  };
  pipe.done = new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      pipe.lastMs = performance.now();
      const busy = attempt(() => sink(chunk), reject);
      if (!busy) return;
      pipe.paused = true;
      stream.pause();
      busy.then(() => {
        pipe.paused = false;
        stream.resume();
      }, reject);
    };
    stream.on("data", take);
    const close = () => {
      pipe.closed = true;
      resolve();
    };
    // A stream without output may have ended before anything listens.
    if (stream.destroyed) close();
    else stream.once("close", close);
    stream.on("error", () => stream.destroy());
    pipe.letGo = () => {
      stream.off("data", take);
      stream.resume();
      close();
    };
  });
  pipe.failed = new Promise((resolve) => {
    pipe.done.catch(() => {
      stream.destroy();
      // Set now instead of on the event: there is nothing more to wait for.
      pipe.closed = true;
      resolve();
    });
  });
  return pipe;
}

const never = new Promise<never>(() => undefined);

function attempt(work: () => Promise<void> | undefined, onError: (error: unknown) => void): Promise<void> | undefined {
  try {
    return work();
  } catch (error) {
    onError(error);
    return undefined;
  }
}

/** Calls back once no pipe has had output for that long. A pipe paused by its sink is not idle. */
export function watchIdle(pipes: readonly Pipe[], idleMs: number | null, onIdle: () => void): { stop(): void } {
  if (idleMs === null) return { stop: () => undefined };
  let look = timer(idleMs, check);
  function check() {
    const last = pipes.some((pipe) => pipe.paused) ? performance.now() : Math.max(...pipes.map((pipe) => pipe.lastMs));
    const left = (idleMs ?? 0) - (performance.now() - last);
    if (left <= 0) return onIdle();
    look = timer(left, check);
  }
  return { stop: () => look.stop() };
}
