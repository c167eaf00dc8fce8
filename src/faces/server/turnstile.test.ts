import { expect, test } from "vitest";
import { openTurnstile } from "./turnstile.ts";

const NEVER = new AbortController().signal;

function task() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const seen = { begun: false };
  const work = async () => {
    seen.begun = true;
    await promise;
  };
  return { seen, work, end: () => resolve() };
}

const settle = () => new Promise((done) => setImmediate(done));

test("a limited number run at the same time; the others follow in order", async () => {
  const { pass } = openTurnstile(2);
  const tasks = [task(), task(), task(), task()];
  const all = tasks.map(({ work }) => pass(NEVER, work));
  const begun = () => tasks.map(({ seen }) => seen.begun);
  await settle();
  expect(begun()).toEqual([true, true, false, false]);
  tasks[1]?.end();
  await settle();
  expect(begun()).toEqual([true, true, true, false]);
  for (const { end } of tasks) end();
  await Promise.all(all);
  expect(begun()).toEqual([true, true, true, true]);
});

test("one that is no longer wanted is not run, and takes no place", async () => {
  const { pass } = openTurnstile(1);
  const [first, left, last] = [task(), task(), task()];
  const gone = new AbortController();
  const one = pass(NEVER, first.work);
  const two = pass(gone.signal, left.work);
  const three = pass(NEVER, last.work);
  gone.abort();
  await expect(two).rejects.toThrow();
  first.end();
  await one;
  last.end();
  await three;
  expect(left.seen.begun).toBe(false);
});

test("one that fails leaves its place", async () => {
  const { pass } = openTurnstile(1);
  await expect(pass(NEVER, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await pass(NEVER, async () => 1)).toBe(1);
});
