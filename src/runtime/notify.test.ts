import { expect, test } from "vitest";
import type { NoticeFacts } from "../core/loop/notices.ts";
import { isIteration, noticeQueue } from "./notify.ts";

const facts = (notice: string, seq: number) => ({ notice, seq }) as NoticeFacts;

/** A recipient that takes one notice at a time, when allowed to. */
function slowHook() {
  const told: string[] = [];
  const gates: (() => void)[] = [];
  const queue = noticeQueue(async ({ notice, seq }) => {
    await new Promise<void>((open) => gates.push(open));
    told.push(`${notice} ${seq}`);
  });
  const letAll = async () => {
    while (queue.pending > 0) {
      gates.shift()?.();
      await Promise.resolve();
    }
  };
  return { queue, told, letAll };
}

test("delivers in order, and accepts more after an idle time", async () => {
  const { queue, told, letAll } = slowHook();
  for (const seq of [1, 2]) queue.add(facts("iteration", seq));
  expect(queue.pending).toBe(2);
  await letAll();
  await queue.idle();
  queue.add(facts("stopped", 3));
  await letAll();
  expect(told).toEqual(["iteration 1", "iteration 2", "stopped 3"]);
});

test("drops the oldest iteration first, then the oldest of all", async () => {
  const { queue, told, letAll } = slowHook();
  queue.add(facts("waiting", 0));
  queue.add(facts("waiting", 1));
  for (let seq = 2; seq <= 60; seq++) queue.add(facts("iteration", seq));
  expect(queue.dropped).toBe(10);
  await letAll();
  expect(told.slice(0, 3)).toEqual(["waiting 0", "waiting 1", "iteration 12"]);
  expect(told).toHaveLength(51);
  for (let seq = 0; seq <= 60; seq++) queue.add(facts("waiting", seq));
  expect(queue.dropped).toBe(20);
  await letAll();
  expect(told.slice(51, 53)).toEqual(["waiting 0", "waiting 11"]);
});

test("drops queued notices, not the one in delivery", async () => {
  const { queue, told, letAll } = slowHook();
  for (const notice of ["iteration", "iteration", "stopped"]) queue.add(facts(notice, 1));
  queue.drop(isIteration);
  expect([queue.pending, queue.dropped]).toEqual([2, 1]);
  queue.drop(() => true);
  await letAll();
  expect(told).toEqual(["iteration 1"]);
  expect(queue.dropped).toBe(2);
});
