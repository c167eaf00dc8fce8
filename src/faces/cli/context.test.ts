import { EventEmitter } from "node:events";
import { PassThrough, Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { openContext } from "./context.ts";

function cliOn(stdout: Writable, stderr: Writable) {
  const signals = new EventEmitter();
  return openContext({
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: {},
    pid: 1,
    cwd: () => "/",
    kill: () => undefined,
    on: (event, listener) => signals.on(event, listener),
    off: (event, listener) => signals.off(event, listener),
  });
}

test.each([
  ["continues", (stdout: PassThrough) => void stdout.resume()],
  ["is gone", (stdout: PassThrough) => void stdout.destroy(new Error("EPIPE"))],
])("writes that wait for a slow reader wait together, until it %s", async (_name, then) => {
  const stdout = new PassThrough({ highWaterMark: 1 });
  const cli = cliOn(stdout, new PassThrough());
  const before = stdout.listenerCount("drain");
  const held = Array.from({ length: 30 }, () => cli.print("line\n"));
  expect(held.every((one) => one === held[0])).toBe(true);
  expect(stdout.listenerCount("drain")).toBe(before);
  then(stdout);
  await held[0];
});

test("what is reported on a terminal breaks between words, and a command stays whole", () => {
  let told = "";
  const stderr = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        told += chunk;
        done();
      },
    }),
    { isTTY: true, columns: 20 },
  );
  cliOn(new PassThrough(), stderr).report("  it has stopped already: ralph resume abc");
  expect(told).toBe("  it has stopped\n  already:\n  ralph resume abc\n");
});
