import type { Readable } from "node:stream";
import { timer } from "./timer.ts";

/** Takes a piece of output; a promise holds back the process until it is done. */
export type Sink = (chunk: Buffer) => Promise<void> | undefined;

/** One stream of a process's output on its way into a sink. */
export interface Pipe {
  stream: Readable;
  /** Moments of the last output, and whether a sink holds the stream back just now. */
  lastMs: number;
  held: boolean;
  closed: boolean;
  /** Resolves when all output has been taken; rejects with the sink's error. */
  done: Promise<void>;
  /** Resolves only if the sink failed. */
  failed: Promise<void>;
}

/** Moves all of a stream into the sink, no faster than the sink takes it. */
export function pump(stream: Readable | null, sink: Sink): Pipe {
  if (!stream) throw new Error("the process was started without pipes");
  const pipe: Pipe = {
    stream,
    lastMs: performance.now(),
    held: false,
    closed: false,
    done: Promise.resolve(),
    failed: never,
  };
  pipe.done = new Promise((resolve, reject) => {
    const take = (chunk: Buffer) => {
      pipe.lastMs = performance.now();
      const busy = attempt(() => sink(chunk), reject);
      if (!busy) return;
      pipe.held = true;
      stream.pause();
      busy.then(() => {
        pipe.held = false;
        stream.resume();
      }, reject);
    };
    stream.on("data", take);
    stream.once("close", () => {
      pipe.closed = true;
      resolve();
    });
    stream.on("error", () => stream.destroy());
  });
  pipe.failed = new Promise((resolve) => {
    pipe.done.catch(() => {
      stream.destroy();
      // At once, not with the event: whoever waits for this pipe has nothing more to wait for.
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

/** Calls back once no pipe has carried anything for that long; a pipe that we hold back ourselves is not idle. */
export function watchIdle(pipes: readonly Pipe[], idleMs: number | null, onIdle: () => void): { stop(): void } {
  if (idleMs === null) return { stop: () => undefined };
  let look = timer(idleMs, check);
  function check() {
    const last = pipes.some((pipe) => pipe.held) ? performance.now() : Math.max(...pipes.map((pipe) => pipe.lastMs));
    const left = (idleMs ?? 0) - (performance.now() - last);
    if (left <= 0) return onIdle();
    look = timer(left, check);
  }
  return { stop: () => look.stop() };
}
