import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/workflow/events.ts";
import { runKind } from "../../src/core/workflow/kind.ts";
import { foldRun } from "../../src/core/workflow/reduce.ts";
import type { RunFilter, RunStore } from "../../src/core/workflow/store.ts";
import { openLedger } from "../../src/engine/ledger.ts";
import { writeTo } from "../support/journal.ts";
import { someSpec } from "../support/spec.ts";
import { collect, idsOf } from "../support/task.ts";
import {
  aLoop,
  aStep,
  partBegan,
  partEnded,
  type RunStores,
  runEnded,
  runStarted,
  runTaken,
  someWorkflow,
} from "../support/workflow.ts";
import { feedContract } from "./feed.ts";
import { messagesContract } from "./messages.ts";

const started = runStarted([aStep("plan"), aStep("build"), aStep("review")], {
  message: "“Fix” – ✓",
  values: { BASE_BRANCH: "main" },
  agent: { command: "scripted", scenario: "a.yaml" },
});
const conversation = { platform: "slack", id: "C1/170.2" };
const iteration = (n: number): RunEvent => ({ type: "iteration.began", part: 0, n, maxIterations: 9 });
const cost = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, costUsd: 0.25 };

const tell = (store: RunStore, id: string, events: readonly RunEvent[], atMs = 5_000) =>
  writeTo(runKind, store, { id, events, atMs });

/** The contract of a store of runs. */
export function runsContract(name: string, make: () => Promise<RunStores>): void {
  const opened = async () => (await (await make()).open()).runs;

  describe(`${name}: runs of workflows`, () => {
    test("returns what was written, and its fold", async () => {
      const stores = await make();
      const store = (await stores.open()).runs;
      const created = await store.create("r1", started, 1_000);
      expect(created).toMatchObject({ id: "r1", seq: 1, epoch: 0, state: foldRun([{ event: started }]) });
      const portions: RunEvent[][] = [
        [runTaken, partBegan(0)],
        [partEnded(0, { session: { id: "s", usage: cost, agent: "claude" }, spent: cost })],
        [partBegan(1), partEnded(1), partBegan(2)],
        [{ type: "run.paused", why: "Ctrl-C" }],
      ];
      let run = created;
      for (const [i, portion] of portions.entries()) {
        run = await tell(store, "r1", portion, 1_001 + i);
        expect(await (await stores.open()).runs.load("r1")).toEqual(run);
      }
      const entries = await collect(store.entries("r1"));
      expect(entries.map(({ event }) => event)).toEqual([started, ...portions.flat()]);
      expect(entries.map(({ run: of, seq, atMs }) => [of, seq, atMs])).toEqual(
        [1_000, 1_001, 1_001, 1_002, 1_003, 1_003, 1_003, 1_004].map((atMs, i) => ["r1", i + 1, atMs]),
      );
      expect(run).toMatchObject({ id: "r1", seq: 8, epoch: 1, state: foldRun(entries) });
      expect(await collect(store.entries("r1", 6))).toEqual(entries.slice(6));
    });

    test("lists the documented columns", async () => {
      const store = await opened();
      await store.create("r1", { ...started, conversation }, 1_000);
      const fresh = {
        id: "r1",
        workflow: "a-workflow",
        message: "“Fix” – ✓",
        conversation,
        cwd: "/repo",
        status: "queued",
        detail: "",
        proof: null,
        currentStep: 1,
        steps: 3,
        metadata: {},
        costUsd: 0,
        holder: "",
        createdAtMs: 1_000,
        updatedAtMs: 1_000,
      };
      expect(await store.find("r1")).toEqual(fresh);
      await store.adopt("r1", runTaken, 1_999, "a test");
      await tell(store, "r1", [partBegan(0), partEnded(0, { output: "a plan", spent: cost })], 2_000);
      expect(await store.list()).toEqual([
        {
          ...fresh,
          status: "running",
          currentStep: 2,
          metadata: { last_output: "a plan" },
          costUsd: 0.25,
          holder: "a test",
          updatedAtMs: 2_000,
        },
      ]);
      const rest = [1, 2].flatMap((part) => [partBegan(part), partEnded(part, { spent: cost })]);
      await tell(store, "r1", [...rest, runEnded("failed", "no")]);
      expect(await store.find("r1")).toMatchObject({ status: "failed", detail: "no", currentStep: 3, costUsd: 0.75 });
    });

    test("counts the iterations of a workflow with only a loop, and merges their documented values", async () => {
      const store = await opened();
      const parts = [aLoop("work", { maxIterations: 9 })];
      await store.create("r1", runStarted(parts, { workflow: someWorkflow(parts, { form: "loop" }) }), 1);
      expect(await store.find("r1")).toMatchObject({ currentStep: 1, steps: 9, metadata: {} });
      await tell(store, "r1", [runTaken, partBegan(0), iteration(1)]);
      await tell(store, "r1", [iteration(2)]);
      const metadata = { iteration_count: 2, max_iterations: 9 };
      expect(await store.find("r1")).toMatchObject({ currentStep: 2, steps: 9, metadata });
      await tell(store, "r1", [partEnded(0, { output: "the end" }), runEnded("completed")]);
      expect(await store.find("r1")).toMatchObject({
        status: "completed",
        currentStep: 2,
        metadata: { ...metadata, last_output: "the end" },
      });
    });

    test("refuses a writer that missed an entry, a second run with the same id, and an unknown run", async () => {
      const stores = await make();
      const [mine, theirs] = [(await stores.open()).runs, (await stores.open()).runs];
      const stale = await mine.create("r1", started, 1);
      const now = await tell(theirs, "r1", [runTaken], 2);
      const late = openLedger(runKind, stale, { now: () => 3, store: mine });
      await expect(late.write(runTaken)).rejects.toMatchObject({ code: "fenced", exitCode: 1 });
      await expect(mine.create("r1", started, 4)).rejects.toMatchObject({ code: "run-exists" });
      await expect(mine.adopt("none", runTaken, 5, "")).rejects.toMatchObject({ code: "run-unknown" });
      await expect(mine.load("none")).rejects.toMatchObject({ code: "run-unknown", exitCode: 2 });
      expect(await collect(mine.entries("none"))).toEqual([]);
      expect(await mine.load("r1")).toEqual(now);
      expect(await collect(mine.entries("r1"))).toHaveLength(2);
    });

    test("writes nothing more about an ended run, except dropped messages", async () => {
      const store = await opened();
      await store.create("r1", started, 1);
      const ended = await tell(store, "r1", [runTaken, runEnded("cancelled", "by me")]);
      for (const late of [runTaken, partBegan(0), runEnded("completed")]) {
        await expect(tell(store, "r1", [late])).rejects.toMatchObject({
          code: "run-ended",
          message: "run r1 has ended: it is cancelled",
        });
      }
      await expect(tell(store, "r1", [{ type: "messages.dropped", count: 1 }, runTaken])).rejects.toMatchObject({
        code: "run-ended",
      });
      expect(await store.load("r1")).toEqual(ended);
      expect(await tell(store, "r1", [{ type: "messages.dropped", count: 2 }])).toMatchObject({
        seq: 4,
        state: { status: "cancelled", dropped: 2 },
      });
    });

    test("finds a run by its id, a prefix of it, or as the last one", async () => {
      const store = await opened();
      await expect(store.find("last")).rejects.toMatchObject({
        code: "run-unknown",
        message: expect.stringMatching(/yet/),
      });
      // The last one is the one created last, whatever the clock said.
      for (const [i, id] of ["ab12", "ab34", "cd", "cd01"].entries()) await store.create(id, started, 9_000 - i);
      const idOf = async (wanted: string) => (await store.find(wanted)).id;
      expect(await idOf("last")).toBe("cd01");
      expect(await idOf("ab1")).toBe("ab12");
      expect(await idOf("cd")).toBe("cd");
      await expect(idOf("ab")).rejects.toMatchObject({
        code: "run-ambiguous",
        message: expect.stringMatching(/^ab could be\n {2}ab34 {2}\S.*\n {2}ab12 {2}/),
      });
      await expect(idOf("")).rejects.toMatchObject({ code: "run-ambiguous" });
      for (const none of ["b", "ab123", "%", "_b12", "AB12"]) {
        await expect(idOf(none), none).rejects.toMatchObject({ code: "run-unknown" });
      }
    });

    test("lists the requested runs in the requested order", async () => {
      const store = await opened();
      const other = { platform: "slack", id: "C2" };
      const talks = [null, conversation, other, conversation, null, conversation];
      for (const [i, of] of talks.entries()) await store.create(`r${i}`, { ...started, conversation: of }, 7);
      await tell(store, "r1", [runTaken, runEnded("completed")]);
      await tell(store, "r2", [runTaken]);
      await tell(store, "r4", [runTaken, { type: "run.paused", why: "" }]);
      const listed = async (filter: RunFilter) => idsOf(await store.list(filter)).join(" ");
      expect(await listed({})).toBe("r5 r4 r3 r2 r1 r0");
      expect(await listed({ oldestFirst: true, limit: 2 })).toBe("r0 r1");
      expect(await listed({ status: ["queued"], oldestFirst: true })).toBe("r0 r3 r5");
      expect(await listed({ status: ["queued"], oldestFirst: true, talking: true })).toBe("r3 r5");
      expect(await listed({ talking: false })).toBe("r4 r0");
      expect(await listed({ status: ["running", "completed", "interrupted", "running"] })).toBe("r4 r2 r1");
      expect(await listed({ status: ["queued", "running"], limit: 2 })).toBe("r5 r3");
      expect(await listed({ status: [] })).toBe("");
      expect(await listed({ conversation })).toBe("r5 r3 r1");
      expect(await listed({ conversation, status: ["queued", "running"], oldestFirst: true, limit: 1 })).toBe("r3");
      expect(await listed({ conversation: { ...conversation, platform: "telegram" } })).toBe("");
      expect(await store.counts()).toEqual({ queued: 3, running: 1, completed: 1, interrupted: 1 });
    });

    test("queues each conversation separately", async () => {
      const store = await opened();
      const of = (id: string) => ({ ...started, conversation: { platform: "slack", id } });
      for (const [i, id] of ["a", "a", "b", "a", "c", "b"].entries()) await store.create(`r${i}`, of(id), 7);
      await store.create("own", started, 7);
      const line = async (limit = 10) => idsOf(await store.nextInLine(limit)).join(" ");
      expect(await line()).toBe("r0 r2 r4");
      await tell(store, "r0", [runTaken]);
      expect(await line()).toBe("r1 r2 r4");
      expect(await line(2)).toBe("r1 r2");
      for (const id of ["r1", "r2"]) await tell(store, id, [runEnded("cancelled")]);
      expect(await line()).toBe("r3 r4 r5");
    });

    test("knows the loops of a run", async () => {
      const stores = await make();
      const store = await stores.open();
      const of = (run: string, part: string) => someSpec({ door: "workflow", run: { run, workflow: "w", part } });
      for (const [id, spec] of Object.entries({
        l1: of("r1", "plan"),
        l2: of("r1", "build"),
        l3: of("r2", "plan"),
        l4: someSpec(),
      }))
        await store.create(id, { type: "loop.started", spec, fingerprints: {} }, Number(id.slice(1)));
      expect((await store.summaries({ run: "r1" })).map(({ id, run }) => [id, run])).toEqual([
        ["l2", { run: "r1", part: "build" }],
        ["l1", { run: "r1", part: "plan" }],
      ]);
      expect(idsOf(await store.summaries({ run: "r1", active: true, limit: 1 }))).toEqual(["l2"]);
      expect(await store.summaries({ run: "none" })).toEqual([]);
      expect((await store.find("l4")).run).toBeNull();
    });

    test("accepts the entries of several processes at once, and lets one of the same entry win", async () => {
      const stores = await make();
      const store = (await stores.open()).runs;
      const runs = ["a", "b"];
      for (const id of [...runs, "own", "raced"]) await store.create(id, started, 1);
      const elsewhere = runs.map((id) => stores.writeElsewhere(id, 80));
      for (let n = 1; n <= 80; n++) await tell(store, "own", [iteration(n)]);
      expect(await Promise.all(elsewhere)).toEqual(["wrote", "wrote"]);
      for (const id of [...runs, "own"]) {
        const entries = await collect(store.entries(id));
        expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 81 }, (_, i) => i + 1));
        expect((await store.load(id)).state).toEqual(foldRun(entries));
      }
      expect((await stores.raceElsewhere("raced", 3)).sort()).toEqual(["fenced", "fenced", "won"]);
      expect(await collect(store.entries("raced"))).toHaveLength(2);
    });
  });

  messagesContract(name, make);
  feedContract(name, make);
}
