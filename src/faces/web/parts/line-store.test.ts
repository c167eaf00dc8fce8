import { expect, test } from "vitest";
import { lineStore } from "./line-store.ts";

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

test("lines are kept in order, whatever the size of the batches", () => {
  const store = lineStore<number>();
  for (let at = 0; at < 5_000; at += 700) store.add(numbers(at, Math.min(5_000, at + 700)));
  expect(store.size()).toBe(5_000);
  expect([...store.all()]).toEqual(numbers(0, 5_000));
  expect([store.at(0), store.at(1_023), store.at(1_024), store.at(4_999), store.at(5_000)]).toEqual([
    0,
    1_023,
    1_024,
    4_999,
    undefined,
  ]);
  expect(store.matching((n) => n % 1_000 === 0, 1_001)).toEqual([2_000, 3_000, 4_000]);
});

test("the oldest lines are left out beyond the limit, and counted", () => {
  const store = lineStore<number>(2_000);
  store.add(numbers(0, 10_000));
  expect(store.size()).toBeGreaterThanOrEqual(2_000);
  expect(store.size()).toBeLessThan(2_000 + 1_024);
  expect(store.dropped() + store.size()).toBe(10_000);
  expect(store.at(0)).toBe(store.dropped());
});
