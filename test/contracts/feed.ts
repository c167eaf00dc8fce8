import { describe, expect, test } from "vitest";
import type { Feed, FeedEntry } from "../../src/core/feed.ts";
import { runKind } from "../../src/core/workflow/kind.ts";
import { openLedger } from "../../src/engine/ledger.ts";
import { writeTo } from "../support/journal.ts";
import { someSpec } from "../support/spec.ts";
import { someTask, taken, tell } from "../support/task.ts";
import { aMessage, aStep, type RunStores, runStarted, runTaken } from "../support/workflow.ts";

const loopStarted = { type: "loop.started", spec: someSpec(), fingerprints: {} } as const;
const started = runStarted([aStep("plan")], { conversation: { platform: "test", id: "c" } });

/** Everything after an id, in pages of that size. */
async function readOn(feed: Feed, from = 0, size = 7): Promise<FeedEntry[]> {
  const all: FeedEntry[] = [];
  while (true) {
    const page = await feed.after(all.at(-1)?.id ?? from, size);
    expect(page.length).toBeLessThanOrEqual(size);
    all.push(...page);
    if (page.length === 0) return all;
  }
}

const whatOf = ({ kind, subject, seq }: FeedEntry) => `${kind} ${subject} ${seq}`;

/** The contract of a feed that puts all journals into one order. */
export function feedContract(name: string, make: () => Promise<RunStores>): void {
  describe(`${name}: the feed`, () => {
    test("has every entry, written over any connection, in order", async () => {
      const stores = await make();
      const [one, two] = [await stores.open(), await stores.open()];
      expect([await one.feed.last(), await one.feed.after(0, 10)]).toEqual([0, []]);
      await one.create("l1", loopStarted, 100);
      await two.tasks.create([someTask("T1")], 90);
      await tell(two.tasks, "T1", [taken], 95);
      const message = await one.runs.hear(aMessage("go"), { id: "r1", event: started }, 80);
      await writeTo(runKind, two.runs, { id: "r1", events: [runTaken, { type: "run.paused", why: "" }], atMs: 85 });
      await one.adopt("l1", { type: "loop.adopted", driver: "engine" }, 101, "me");
      const all = await readOn(two.feed);
      expect(all.map(whatOf)).toEqual([
        "loop l1 1",
        "task T1 1",
        `message test:c ${message?.id}`,
        "run r1 1",
        "run r1 2",
        "run r1 3",
        "loop l1 2",
      ]);
      expect(all.map(({ atMs }) => atMs)).toEqual([100, 95, 80, 80, 85, 85, 101]);
      expect(all.map(({ event }) => event)).toEqual([
        loopStarted,
        taken,
        message,
        started,
        runTaken,
        { type: "run.paused", why: "" },
        { type: "loop.adopted", driver: "engine" },
      ]);
      expect(await one.feed.last()).toBe(all.at(-1)?.id);
      for (const [i, { id }] of all.entries()) expect(await readOn(one.feed, id, 2)).toEqual(all.slice(i + 1));
    });

    test("has nothing that was not written", async () => {
      const store = await (await make()).open();
      await store.runs.create("r1", started, 1);
      await expect(store.runs.hear(aMessage("x"), { id: "r1", event: started }, 2)).rejects.toThrow();
      const stale = openLedger(runKind, await store.runs.load("r1"), { now: () => 3, store: store.runs });
      await store.runs.adopt("r1", runTaken, 3, "me");
      await expect(stale.write(runTaken)).rejects.toMatchObject({ code: "fenced" });
      expect((await readOn(store.feed)).map(whatOf)).toEqual(["run r1 1", "run r1 2"]);
    });

    test("forgets a removed task, and never reuses an id", async () => {
      const store = await (await make()).open();
      await store.runs.create("r1", started, 1);
      await store.tasks.create([someTask("T1")], 1);
      await tell(store.tasks, "T1", [taken, { type: "task.cancelled", by: "me" }], 2);
      const before = await readOn(store.feed);
      expect(before).toHaveLength(3);
      await store.tasks.remove("T1");
      expect(await readOn(store.feed)).toEqual(before.slice(0, 1));
      await store.tasks.create([someTask("T1")], 3);
      await tell(store.tasks, "T1", [taken], 4);
      // A reader of the old entries misses nothing, and sees nothing old under its name.
      const next = await readOn(store.feed, before.at(-1)?.id);
      expect(next.map(({ atMs, ...entry }) => [whatOf({ ...entry, atMs } as FeedEntry), atMs])).toEqual([
        ["task T1 1", 4],
      ]);
      expect(await readOn(store.feed)).toEqual([...before.slice(0, 1), ...next]);
    });

    test("loses and duplicates nothing for a reader that reconnects while processes write", async () => {
      const stores = await make();
      const writing = await stores.open();
      for (const id of ["a", "b"]) await writing.runs.create(id, started, 1);
      let busy = true;
      const elsewhere = Promise.all([
        stores.writeElsewhere("a", 100),
        stores.writeElsewhere("b", 100),
        stores.hearElsewhere("c", 100),
      ]).finally(() => {
        busy = false;
      });
      const seen: FeedEntry[] = [];
      const readers = [(await stores.open()).feed, (await stores.open()).feed];
      const look = async (feed: Feed) => seen.push(...(await readOn(feed, seen.at(-1)?.id, 50)));
      for (let i = 0; busy; i++) {
        for (const feed of readers) await look(feed);
        await writing.runs.hear(aMessage(`${i}`, { conversation: { platform: "own", id: "o" } }), null, i);
        // A store that answers at once would otherwise starve the processes' exit events.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await elsewhere;
      await look(writing.feed);
      expect(seen).toEqual(await readOn(writing.feed, 0, 1_000));
      for (const subject of ["a", "b"]) {
        const seqs = seen.filter((entry) => entry.subject === subject).map(({ seq }) => seq);
        expect(seqs).toEqual(Array.from({ length: 101 }, (_, i) => i + 1));
      }
      expect(seen.filter(({ subject }) => subject === "test:c")).toHaveLength(100);
    });

    test("returns no more at once than fits into memory", async () => {
      const store = await (await make()).open();
      await store.runs.create("r1", started, 1);
      const dropped = Array.from({ length: 1_200 }, () => ({ type: "messages.dropped", count: 1 }) as const);
      await writeTo(runKind, store.runs, { id: "r1", events: dropped });
      expect(await store.feed.after(0, 5_000)).toHaveLength(1_000);
      expect(await readOn(store.feed, 0, 1_000)).toHaveLength(1_201);
    });
  });
}
