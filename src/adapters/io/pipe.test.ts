import { PassThrough } from "node:stream";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { pump, type Sink, watchIdle } from "./pipe.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

/** Two streams that are watched for a second of silence. */
function watched(sink: Sink = () => undefined) {
  const streams = [new PassThrough(), new PassThrough()] as const;
  const onIdle = vi.fn();
  watchIdle(
    streams.map((stream) => pump(stream, sink)),
    1_000,
    onIdle,
  );
  const print = async (stream: PassThrough) => {
    stream.write("x");
    await new Promise(setImmediate);
  };
  return { streams, onIdle, print };
}

test("a process that keeps printing on either stream is not idle; silence is, once", async () => {
  const { streams, onIdle, print } = watched();
  for (let n = 0; n < 10; n++) {
    vi.advanceTimersByTime(999);
    await print(n % 2 === 0 ? streams[0] : streams[1]);
  }
  vi.advanceTimersByTime(999);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test("a process blocked by backpressure is not idle", async () => {
  let letGo: () => void = () => undefined;
  const hold: Sink = () =>
    new Promise((done) => {
      letGo = done;
    });
  const { streams, onIdle, print } = watched(hold);
  await print(streams[0]);
  vi.advanceTimersByTime(10_000);
  expect(onIdle).not.toHaveBeenCalled();
  letGo();
  await new Promise(setImmediate);
  vi.advanceTimersByTime(2_000);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test("a stream that was closed before anything listened is read to its end", async () => {
  const stream = new PassThrough().destroy();
  await new Promise(setImmediate);
  const pipe = pump(stream, () => undefined);
  expect(pipe.closed).toBe(true);
  await pipe.done;
});
