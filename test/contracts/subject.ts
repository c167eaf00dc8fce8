import { describe, expect, test } from "vitest";
import type { Inbox } from "../../src/core/inbox.ts";
import type { Journals } from "../../src/core/journals.ts";
import { loopKind } from "../../src/core/loop/kind.ts";
import type { LoopStore } from "../../src/core/loop/store.ts";
import type { JournalTypes, Kind } from "../../src/core/subject.ts";
import { taskKind } from "../../src/core/task/kind.ts";
import type { TaskStore } from "../../src/core/task/store.ts";
import { runKind } from "../../src/core/workflow/kind.ts";
import type { RunStore } from "../../src/core/workflow/store.ts";
import { openLedger } from "../../src/engine/ledger.ts";
import { someSpec } from "../support/spec.ts";
import { collect, prepared, someTask, taken } from "../support/task.ts";
import { aStep, partBegan, runStarted, runTaken } from "../support/workflow.ts";

type Store = LoopStore & { tasks: TaskStore; runs: RunStore; inbox: Inbox };

/** One kind of subject: how it is made, how a driver takes it, and an event of it. */
interface Case<T extends JournalTypes> {
  kind: Kind<T>;
  journals(store: Store): Journals<T>;
  create(store: Store): Promise<unknown>;
  adopted: T["event"];
  fact: T["event"];
}

/** The contract of a journal of any subject, in any store. */
export function subjectContract(name: string, make: () => Promise<{ open(): Promise<Store> }>): void {
  describe(`${name}: the journal of every kind of subject`, { timeout: 60_000 }, () => {
    checkKind(make, {
      kind: loopKind,
      journals: (store) => store,
      create: (store) => store.create("one", { type: "loop.started", spec: someSpec(), fingerprints: {} }, 1),
      adopted: { type: "loop.adopted", driver: "engine" },
      fact: { type: "turn.began", n: 1, attempt: 1, agent: 0, runToken: "t", log: null, nonce: null },
    });
    checkKind(make, {
      kind: taskKind,
      journals: ({ tasks }) => tasks,
      create: ({ tasks }) => tasks.create([someTask("one")], 1, { type: "task.added", by: "me" }),
      adopted: taken,
      fact: prepared,
    });
    checkKind(make, {
      kind: runKind,
      journals: ({ runs }) => runs,
      create: ({ runs }) => runs.create("one", runStarted([aStep("plan")]), 1),
      adopted: runTaken,
      fact: partBegan(0),
    });
  });
}

function checkKind<T extends JournalTypes>(make: () => Promise<{ open(): Promise<Store> }>, of: Case<T>): void {
  const { kind, adopted, fact } = of;

  test(`${kind.name}: a replaced driver is refused, and its successor is not`, async () => {
    const stores = await make();
    const [first, second] = [await stores.open(), await stores.open()];
    await of.create(first);
    const [mine, theirs] = [of.journals(first), of.journals(second)];
    const zombie = openLedger(kind, await mine.adopt("one", adopted, 2, "the first"), { now: () => 3, store: mine });
    // It writes after its successor has read, and before that one takes over.
    await theirs.load("one");
    await zombie.write(fact);
    const loaded = await theirs.adopt("one", adopted, 4, "the second");
    expect(loaded).toMatchObject({ seq: 4, epoch: 2 });
    await expect(zombie.write(fact)).rejects.toMatchObject({ code: "fenced", exitCode: 1 });
    await openLedger(kind, loaded, { now: () => 5, store: theirs }).write(fact);
    const entries = await collect(mine.entries("one"));
    expect(entries.map(({ seq, epoch }) => [seq, epoch])).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 2],
      [5, 2],
    ]);
  });

  test(`${kind.name}: has one chain, and its fold is its state`, async () => {
    const store = await (await make()).open();
    await of.create(store);
    const journals = of.journals(store);
    const ledger = openLedger(kind, await journals.adopt("one", adopted, 2, "me"), { now: () => 3, store: journals });
    for (let n = 0; n < 70; n++) await ledger.write(fact);
    const entries = await collect(journals.entries("one"));
    const state = entries.reduce((before: T["state"], entry) => kind.reduce(before, entry), kind.start);
    expect((await journals.load("one")).state).toEqual(state);
    expect(await journals.glance("one")).toEqual({ id: "one", seq: 72, epoch: 1, state });
    expect(await journals.check("one")).toMatchObject({ entries: 72, chainedFrom: 1, damage: null });
  });

  test(`${kind.name}: a driver without its lease writes nothing`, async () => {
    const store = await (await make()).open();
    await of.create(store);
    const journals = of.journals(store);
    const lost = new AbortController();
    const lease = { isHeld: () => !lost.signal.aborted, lost: lost.signal };
    const loaded = await journals.adopt("one", adopted, 2, "me");
    const ledger = openLedger(kind, loaded, { now: () => 3, store: journals, lease });
    lost.abort();
    await expect(ledger.write(fact)).rejects.toMatchObject({ code: "fenced" });
    expect(await collect(journals.entries("one"))).toHaveLength(2);
  });

  test(`${kind.name}: an adoption drops requests for the earlier driver`, async () => {
    const store = await (await make()).open();
    await of.create(store);
    const subject = { kind: kind.name, id: "one" };
    await store.inbox.request(subject, { command: "cancel", by: "before" }, 1);
    await store.inbox.request(subject, { command: "cancel", by: "after" }, 3);
    await of.journals(store).adopt("one", adopted, 2, "me");
    expect(await store.inbox.requests(subject)).toEqual([{ command: "cancel", by: "after" }]);
  });
}
