import { expect, test } from "vitest";
import { repeated } from "./repeated.ts";

/** Work that ends when the test says so. */
function held() {
  const runs: { quit: AbortSignal; end(): void }[] = [];
  const work = (quit: AbortSignal) => new Promise<void>((end) => void runs.push({ quit, end }));
  const settle = () => new Promise((done) => setImmediate(done));
  return { runs, work, settle };
}

test("changes during a request let it end, and are answered by one more", async () => {
  const { runs, work, settle } = held();
  const reading = repeated(work);
  for (let n = 0; n < 10; n++) reading.again();
  expect(runs).toHaveLength(1);
  expect(runs[0]?.quit.aborted).toBe(false);
  runs[0]?.end();
  await settle();
  expect(runs).toHaveLength(2);
  runs[1]?.end();
  await settle();
  expect(runs).toHaveLength(2);
  reading.again();
  expect(runs).toHaveLength(3);
});

test("after its end nothing is requested", async () => {
  const { runs, work, settle } = held();
  const reading = repeated(work);
  reading.again();
  reading.again();
  reading.close();
  expect(runs[0]?.quit.aborted).toBe(true);
  runs[0]?.end();
  await settle();
  reading.again();
  expect(runs).toHaveLength(1);
});
