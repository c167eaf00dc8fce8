import { describe, expect, test, vi } from "vitest";
import type { News } from "../../src/core/feed.ts";
import type { Inbox } from "../../src/core/inbox.ts";
import type { Entry, LoopEvent, Verdict } from "../../src/core/loop/events.ts";
import { loopKind } from "../../src/core/loop/kind.ts";
import { fold } from "../../src/core/loop/reduce.ts";
import { DEFAULT_LIMITS } from "../../src/core/loop/spec.ts";
import type { LoopStore } from "../../src/core/loop/store.ts";
import { NO_PROOF } from "../../src/core/proof/proof.ts";
import { NO_USAGE } from "../../src/core/usage.ts";
import { openLedger } from "../../src/engine/ledger.ts";
import { someAgent, someSpec } from "../support/spec.ts";

/** One empty database, for one test. */
export interface Stores {
  /** Another connection to it. */
  open(): Promise<LoopStore & { inbox: Inbox; news: News }>;
  /** A process that writes that many entries into a loop. */
  writeElsewhere(loop: string, entries: number): Promise<string>;
  /** This many processes load the loop, then all write its next entry; they print `won` or the error's code. */
  raceElsewhere(loop: string, racers: number): Promise<string[]>;
}

const spec = someSpec({
  agents: [someAgent("agent", { flags: ["--flag"] })],
  context: "continue",
  limits: { ...DEFAULT_LIMITS, maxIterations: null },
});
const started = { type: "loop.started", spec, fingerprints: { "check.sh": "abc" } } as const;
const loop = (id: string) => ({ kind: "loop", id }) as const;
const adopted = { type: "loop.adopted", driver: "engine" } as const;
const cancelled: LoopEvent = { type: "loop.stopped", reason: "cancelled", detail: "by a test" };

/** Two entries per turn. */
const turn = (n: number): LoopEvent[] => [
  { type: "turn.began", n, attempt: 1, agent: 0, runToken: `token/${n}`, log: null, nonce: null },
  {
    type: "turn.ended",
    n,
    attempt: 1,
    claim: { start: 1, end: 5, quote: "“DONE” – ✓", text: "DONE", tag: "promise" },
    doubts: [],
    blocked: null,
    failed: null,
    refused: null,
    usage: { inputTokens: 3, cachedTokens: 0, outputTokens: 2, costUsd: 0.1 },
    sessionId: "session",
    sessionUsage: null,
    source: "stream",
    tools: null,
    model: null,
  },
];

async function newLoop(store: LoopStore, id: string, atMs = 1_000) {
  await store.create(id, started, atMs);
  const ledger = openLedger(loopKind, await store.adopt(id, adopted, atMs + 1, "a test"), {
    now: () => atMs + 2,
    store,
  });
  const write = async (...events: LoopEvent[]) => {
    for (const event of events) ledger.note(event);
    await ledger.flush();
  };
  return { ledger, write };
}

async function entriesOf(store: LoopStore, id: string, after?: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of store.entries(id, after)) entries.push(entry);
  return entries;
}

/** The contract of a journal. */
export function storeContract(name: string, make: () => Promise<Stores>): void {
  describe(`${name}: the journal`, () => {
    test("returns what was written", async () => {
      const store = await (await make()).open();
      const { ledger, write } = await newLoop(store, "one");
      await write(...turn(1));
      const entries = await entriesOf(store, "one");
      expect(entries.map(({ event }) => event)).toEqual([started, adopted, ...turn(1)]);
      expect(entries.map(({ seq, epoch, atMs }) => [seq, epoch, atMs])).toEqual([
        [1, 0, 1_000],
        [2, 1, 1_001],
        [3, 1, 1_002],
        [4, 1, 1_002],
      ]);
      expect(await entriesOf(store, "one", 3)).toEqual(entries.slice(3));
      expect(await store.load("one")).toMatchObject({ id: "one", seq: 4, epoch: 1, state: ledger.state });
      expect(await store.glance("one")).toEqual({ id: "one", seq: 4, epoch: 1, state: ledger.state });
    });

    test("loads the fold of all entries, for any number and any portions", async () => {
      const store = await (await make()).open();
      const { ledger, write } = await newLoop(store, "long");
      let portion: LoopEvent[] = [];
      for (let n = 1; n <= 330; n++) {
        portion.push(...turn(n));
        if (portion.length < 1 + (n % 7)) continue;
        await write(...portion);
        portion = [];
        if (n % 10 === 0) expect((await store.load("long")).state).toEqual(ledger.state);
        if (n % 10 === 0) expect((await store.glance("long")).state).toEqual(ledger.state);
      }
      await write(...portion, cancelled);
      const { state, seq } = await store.load("long");
      const entries = await entriesOf(store, "long");
      expect(entries.map((entry) => entry.seq)).toEqual(Array.from({ length: seq }, (_, i) => i + 1));
      expect(state).toEqual(fold(entries));
      const again = await store.adopt("long", adopted, 5_000, "a test");
      expect(again).toMatchObject({ id: "long", seq: seq + 1, epoch: 2, state: fold(await entriesOf(store, "long")) });
    });

    test("does not let an adoption fall behind earlier entries", async () => {
      const store = await (await make()).open();
      await newLoop(store, "one", 9_000);
      expect((await store.adopt("one", adopted, 10, "a test")).state.atMs).toBe(9_001);
    });

    test("refuses a writer that missed an entry, and writes nothing of its own", async () => {
      const stores = await make();
      const store = await stores.open();
      const { write } = await newLoop(store, "one");
      const late = openLedger(loopKind, await (await stores.open()).load("one"), { now: () => 1, store });
      await write(...turn(1));
      for (const event of turn(1)) late.note(event);
      await expect(late.flush()).rejects.toMatchObject({ code: "fenced" });
      expect(await entriesOf(store, "one")).toHaveLength(4);
    });

    test("refuses a driver whose loop was adopted by another", async () => {
      const stores = await make();
      const [mine, theirs] = [await stores.open(), await stores.open()];
      const { write } = await newLoop(mine, "one");
      const taken = await theirs.adopt("one", adopted, 2_000, "another");
      await expect(write(...turn(1))).rejects.toMatchObject({ code: "fenced" });
      const [event] = turn(1);
      const forged: Entry = { loop: "one", seq: taken.seq + 1, epoch: 1, atMs: 2_000, event: event ?? cancelled };
      await expect(mine.append({ ...taken, epoch: 1 }, [forged], taken.state)).rejects.toMatchObject({
        code: "fenced",
      });
      expect(await entriesOf(mine, "one")).toHaveLength(3);
      expect((await mine.find("one")).holder).toBe("another");
    });

    test("continues one chain through adoptions, portions and snapshots", async () => {
      const store = await (await make()).open();
      const { write } = await newLoop(store, "one");
      for (let n = 1; n <= 80; n++) await write(...turn(n));
      const before = await store.check("one");
      expect(before).toEqual({
        entries: 162,
        head: expect.stringMatching(/^[0-9a-f]{64}$/),
        chainedFrom: 1,
        damage: null,
      });
      expect((await store.load("one")).seal.head).toBe(before.head);
      const { seal, seq } = await store.adopt("one", adopted, 3_000, "another");
      expect(seal.prev).toBe(before.head);
      expect(await store.check("one")).toMatchObject({ entries: seq, head: seal.head, damage: null });
      expect(await store.foreignEntries("one")).toEqual([]);
    });

    test("sets aside entries that are not its driver's, and continues from the driver's head", async () => {
      const stores = await make();
      const [mine, theirs] = [await stores.open(), await stores.open()];
      const { write } = await newLoop(mine, "one");
      await write(...turn(1));
      const fence = await mine.load("one");
      const foreign = openLedger(loopKind, await theirs.load("one"), { now: () => 2_000, store: theirs });
      foreign.note({ type: "loop.stopped", reason: "verified", detail: "forged" });
      await foreign.flush();
      await expect(write(...turn(2))).rejects.toMatchObject({ code: "fenced" });
      const { entries, seal } = await mine.disown(fence, ({ entry, found }) => {
        const event: LoopEvent = { type: "journal.foreign", entry, found };
        const written: Entry = { loop: "one", seq: 5, epoch: 1, atMs: 2_001, event };
        return { entries: [written], state: fold([written], fence.state) };
      });
      expect(entries).toMatchObject([{ seq: 5, event: { entry: 5, found: expect.stringContaining("after entry 4") } }]);
      expect(await mine.check("one")).toMatchObject({ entries: 5, head: seal.head, damage: null });
      expect((await mine.load("one")).state).toMatchObject({ stopped: null, foreign: { entry: 5 } });
      expect(await mine.foreignEntries("one")).toMatchObject([{ seq: 5, text: expect.stringContaining("forged") }]);
      expect(await mine.find("one")).toMatchObject({ status: "running", reason: null });
    });

    test("knows no loop that was not created", async () => {
      const store = await (await make()).open();
      await expect(store.load("none")).rejects.toMatchObject({ code: "loop-unknown" });
      await expect(store.adopt("none", adopted, 1, "")).rejects.toMatchObject({ code: "loop-unknown" });
      await expect(store.find("last")).rejects.toMatchObject({ code: "loop-unknown" });
      expect(await entriesOf(store, "none")).toEqual([]);
    });

    test("keeps requests until a stop is journalled or the loop is adopted", async () => {
      const stores = await make();
      const [mine, theirs] = [await stores.open(), await stores.open()];
      const { write } = await newLoop(mine, "one");
      await newLoop(mine, "two");
      const wish = (by: string) => ({ command: "cancel", by }) as const;
      for (const by of ["a", "b"]) await theirs.inbox.request(loop("one"), wish(by), 1);
      await theirs.inbox.request(loop("two"), wish("c"), 1);
      await write(...turn(1));
      expect(await mine.inbox.requests(loop("one"))).toEqual([wish("a"), wish("b")]);
      await write({ type: "stop.requested", as: "cancelled", by: "a" });
      expect(await mine.inbox.requests(loop("one"))).toEqual([]);
      expect(await mine.inbox.requests(loop("two"))).toEqual([wish("c")]);
      await theirs.inbox.request(loop("two"), wish("d"), 2);
      await mine.adopt("two", adopted, 2, "a test");
      expect(await mine.inbox.requests(loop("two"))).toEqual([wish("d")]);
    });

    test("finds a loop by its id, a prefix of it, or as the last one", async () => {
      const store = await (await make()).open();
      const ids = ["ab12", "ab34", "cd", "cd01", "cd02", "cd03", "cd04", "cd05", "cd06"];
      for (const [i, id] of ids.entries()) await store.create(id, started, 1_000 + i);
      const idOf = async (wanted: string) => (await store.find(wanted)).id;
      expect(await idOf("last")).toBe("cd06");
      expect(await idOf("ab1")).toBe("ab12");
      expect(await idOf("cd")).toBe("cd");
      await expect(idOf("ab")).rejects.toMatchObject({
        code: "loop-ambiguous",
        message: expect.stringContaining("ab34"),
      });
      await expect(idOf("")).rejects.toMatchObject({ code: "loop-ambiguous" });
      for (const none of ["b", "ab123", "%", "_b12", "AB12"]) {
        await expect(idOf(none), none).rejects.toMatchObject({ code: "loop-unknown" });
      }
    });

    test("lists the newest first, up to a limit, optionally only those that have not stopped", async () => {
      const store = await (await make()).open();
      for (const [i, id] of ["old", "middle", "new"].entries()) {
        const { write } = await newLoop(store, id, 1_000 * (i + 1));
        await write(...turn(1), ...(id === "middle" ? [cancelled] : []));
      }
      const idsOf = async (filter?: Parameters<LoopStore["summaries"]>[0]) =>
        (await store.summaries(filter)).map(({ id }) => id);
      expect(await idsOf()).toEqual(["new", "middle", "old"]);
      expect(await idsOf({ limit: 2 })).toEqual(["new", "middle"]);
      expect(await idsOf({ active: true })).toEqual(["new", "old"]);
      expect(await idsOf({ active: true, limit: 1 })).toEqual(["new"]);
      expect(await store.find("middle")).toEqual({
        id: "middle",
        door: "harness",
        title: "a task",
        part: null,
        run: null,
        cwd: "/repo",
        status: "stopped",
        reason: "cancelled",
        detail: "by a test",
        iteration: 1,
        maxIterations: null,
        costUsd: 0.1,
        tokens: 5,
        waitUntilMs: null,
        proved: null,
        createdAtMs: 2_000,
        updatedAtMs: 2_002,
        holder: "a test",
        host: null,
        driver: "engine",
        sessionId: "session",
      });
    });

    test("shows how many criteria are proved: none, those of the baseline, those of the last verdict", async () => {
      const store = await (await make()).open();
      const proof = { ...NO_PROOF, acceptance: ["a", "b"] };
      await store.create("one", { ...started, spec: { ...spec, proof } }, 1);
      const shown = async () => (await store.find("one")).proved;
      expect(await shown()).toEqual({ proved: 0, of: 2 });
      const ledger = openLedger(loopKind, await store.adopt("one", adopted, 2, "a test"), { now: () => 3, store });
      const check = { name: "a", command: "a", code: 0, reason: "", excerpt: "", log: null, ms: 1 };
      ledger.note({
        type: "baseline.taken",
        results: [{ ...check, is: "pass", criterion: "a" }],
        head: "",
        tree: null,
      });
      await ledger.flush();
      expect(await shown()).toEqual({ proved: 1, of: 2 });
      const verdict: Verdict = { is: "pass", reason: "", checks: [], proved: { proved: 2, of: 2, which: [0, 1] } };
      for (const event of turn(1)) ledger.note(event);
      ledger.note({ type: "claim.judged", n: 1, try: 1, verdict, usage: NO_USAGE });
      await ledger.flush();
      expect(await shown()).toEqual({ proved: 2, of: 2 });
      expect((await store.load("one")).state.proved).toEqual({ proved: 2, of: 2, which: [0, 1] });
    });

    test("shows a wait", async () => {
      const store = await (await make()).open();
      const { write } = await newLoop(store, "one");
      const [began] = turn(1);
      const limit = {
        n: 1,
        attempt: 1,
        why: "rate-limited",
        detail: "later",
        retryAtMs: 9_000,
        usage: NO_USAGE,
      } as const;
      await write(began ?? cancelled, { type: "turn.voided", ...limit });
      expect(await store.find("one")).toMatchObject({
        status: "waiting",
        waitUntilMs: 9_000,
        detail: "rate-limited: later",
      });
    });

    test("reports entries of other connections to every listener, and not its own", async () => {
      const stores = await make();
      const [mine, theirs] = [await stores.open(), await stores.open()];
      const { write } = await newLoop(mine, "one");
      const heard = [0, 0];
      const listening = heard.map((_, i) => mine.news.listen(() => heard.splice(i, 1, (heard[i] ?? 0) + 1)));
      await vi.waitFor(() => expect(heard).toEqual([1, 1]));
      const before = await mine.news.revision();
      await write(...turn(1));
      expect(await mine.news.revision()).toBe(before);
      await theirs.inbox.request(loop("one"), { command: "cancel", by: "another" }, 1);
      expect(await mine.news.revision()).not.toBe(before);
      await vi.waitFor(() => expect(heard).toEqual([2, 2]));
      listening[0]?.close();
      await theirs.inbox.request(loop("one"), { command: "cancel", by: "another" }, 1);
      await vi.waitFor(() => expect(heard).toEqual([2, 3]));
      listening[1]?.close();
    });

    test("accepts the entries of several processes at once", async () => {
      const stores = await make();
      const store = await stores.open();
      const loops = ["a", "b", "c"];
      for (const id of loops) await store.create(id, started, 1);
      const own = await newLoop(store, "own");
      const elsewhere = loops.map((id) => stores.writeElsewhere(id, 150));
      for (let n = 1; n <= 150; n++) await own.write(...turn(n));
      expect(await Promise.all(elsewhere)).toEqual(["wrote", "wrote", "wrote"]);
      for (const id of loops) {
        const entries = await entriesOf(store, id);
        expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 151 }, (_, i) => i + 1));
        expect((await store.load(id)).state).toEqual(fold(entries));
      }
    });

    test("lets one of several processes win that write the same entry", async () => {
      const stores = await make();
      const store = await stores.open();
      await store.create("one", started, 1);
      const outcomes = await stores.raceElsewhere("one", 4);
      expect(outcomes.sort()).toEqual(["fenced", "fenced", "fenced", "won"]);
      expect(await entriesOf(store, "one")).toHaveLength(2);
    });
  });
}
