import { expect, test } from "vitest";
import type { Stats } from "../../core/stats/stats.ts";
import { tally } from "../../core/stats/tally.ts";
import { cachedStats } from "./stats-cache.ts";

const STATS: Stats = tally().stats(() => null);
const MINUTE_MS = 60_000;

/** A journal that the test writes by hand, and the reads of it, in order. */
function journal() {
  const reads: { done(): void; fail(): void }[] = [];
  const clock = { at: 1, revision: "1", nowMs: 1_000_000_000 };
  const stats = cachedStats({
    last: async () => clock.at,
    revision: async () => clock.revision,
    gather: () =>
      new Promise((done, fail) => reads.push({ done: () => done(STATS), fail: () => fail(new Error("busy")) })),
    now: () => clock.nowMs,
  });
  /** How often the journals were read for one answer. */
  const readsOf = async (since?: string) => {
    const before = reads.length;
    const answer = stats({ since });
    await new Promise(setImmediate);
    for (const { done } of reads.slice(before)) done();
    await answer;
    return reads.length - before;
  };
  return { clock, reads, stats, readsOf };
}

test("all-time figures are read again only when something was written, a moving period after a minute too", async () => {
  const { clock, readsOf } = journal();
  expect([await readsOf(), await readsOf("24h")]).toEqual([1, 1]);
  expect([await readsOf(), await readsOf("24h")]).toEqual([0, 0]);
  clock.nowMs += MINUTE_MS;
  expect([await readsOf(), await readsOf("24h")]).toEqual([0, 1]);
  clock.at++;
  expect([await readsOf(), await readsOf("24h")]).toEqual([1, 1]);
  clock.revision = "2";
  expect([await readsOf(), await readsOf()]).toEqual([1, 0]);
});

test("a failure is read again, and does not remove a newer answer", async () => {
  const { clock, reads, stats, readsOf } = journal();
  const old = stats({});
  await expect.poll(() => reads.length).toBe(1);
  clock.at++;
  expect(await readsOf()).toBe(1);
  reads[0]?.fail();
  await expect(old).rejects.toThrow("busy");
  expect(await readsOf()).toBe(0);
  clock.at++;
  const failed = stats({});
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.fail();
  await expect(failed).rejects.toThrow("busy");
  expect(await readsOf()).toBe(1);
});
