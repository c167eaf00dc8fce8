import { describe, expect, test } from "vitest";
import { reduce } from "../../src/core/loop/reduce.ts";
import type { TaskEntry, TaskEvent } from "../../src/core/task/events.ts";
import { taskKind } from "../../src/core/task/kind.ts";
import { foldTask } from "../../src/core/task/reduce.ts";
import { openLedger } from "../../src/engine/ledger.ts";
import { someSpec } from "../support/spec.ts";
import {
  began,
  collect,
  ended,
  finished,
  idsOf,
  merged,
  prepared,
  someTask,
  type TaskStores,
  taken,
  tell,
} from "../support/task.ts";

/** The contract of a journal of tasks. */
export function taskJournalContract(name: string, make: () => Promise<TaskStores>): void {
  const opened = async () => (await (await make()).open()).tasks;

  describe(`${name}: the journal of a task`, () => {
    test("returns what was written, and its fold", async () => {
      const stores = await make();
      const store = (await stores.open()).tasks;
      await store.create([someTask("A")], 1);
      const portions: TaskEvent[][] = [
        [taken, prepared],
        [began("coder", "l1")],
        [ended("coder", "l1", "stuck")],
        [taken],
      ];
      for (const [i, portion] of portions.entries()) {
        const loaded = await tell(store, "A", portion, 1_000 + i);
        expect(await (await stores.open()).tasks.load("A")).toEqual(loaded);
      }
      const entries = await collect<TaskEntry>(store.entries("A"));
      expect(entries.map(({ event }) => event)).toEqual(portions.flat());
      expect(entries.map(({ seq, atMs }) => [seq, atMs])).toEqual([
        [1, 1_000],
        [2, 1_000],
        [3, 1_001],
        [4, 1_002],
        [5, 1_003],
      ]);
      expect((await store.load("A")).state).toEqual(foldTask(entries));
      expect(await store.find("A")).toMatchObject({ status: "implementing", loop: "l1", updatedAtMs: 1_003 });
    });

    test("refuses a writer that missed an entry, and an invalid transition", async () => {
      const store = await opened();
      await store.create([someTask("A")], 1);
      await tell(store, "A", [taken]);
      const late = openLedger(taskKind, await store.load("A"), { now: () => 1, store });
      await tell(store, "A", [prepared]);
      await expect(late.write(prepared)).rejects.toMatchObject({ code: "fenced", exitCode: 1 });
      await expect(tell(store, "A", [merged])).rejects.toMatchObject({
        code: "task-transition",
        message: "task A is implementing and cannot become done",
      });
      expect(await store.load("A")).toMatchObject({ seq: 2, state: { merged: null } });
      await tell(store, "A", finished);
      await expect(tell(store, "A", [{ type: "task.retried", by: "me" }])).rejects.toMatchObject({
        code: "task-transition",
      });
      expect(await collect(store.entries("A"))).toHaveLength(2 + finished.length);
    });

    test("shows the current loop and the last failure under the documented names", async () => {
      const whole = await (await make()).open();
      const store = whole.tasks;
      await store.create([someTask("A", { metadata: { own: 1 } }), someTask("B")], 1);
      await tell(store, "A", [taken, prepared, began("coder", "loop-1")]);
      expect(await store.find("A")).toMatchObject({ loop: "loop-1", iteration: 0, metadata: { own: 1 } });
      const part = { task: "A", place: "coder", execution: "e", description: "", method: "" } as const;
      const spec = someSpec({ door: "pipeline", part });
      await whole.create("loop-1", { type: "loop.started", spec, fingerprints: {} }, 1_700_000_000_000);
      const adopted = await whole.adopt("loop-1", { type: "loop.adopted", driver: "engine" }, 1_700_000_000_001, "me");
      const event = { type: "turn.began", n: 1, attempt: 1, agent: 0, runToken: "t", log: null, nonce: null } as const;
      const first = { loop: "loop-1", seq: 3, epoch: 1, atMs: 1_700_000_000_002, event };
      await whole.append(adopted, [first], reduce(adopted.state, first));
      const ralph = {
        stage: "coder",
        iteration: 1,
        max_iterations: 10,
        started_at: "2023-11-14T22:13:20.000Z",
        completion_promise: "DONE",
      };
      expect(await store.find("A")).toMatchObject({ iteration: 1, metadata: { own: 1, ralph } });
      expect((await store.load("A")).task.metadata).toEqual({ own: 1, ralph });
      expect((await collect(store.all())).map(({ metadata }) => metadata)).toEqual([{ own: 1, ralph }, {}]);
      expect(await store.list({ limit: 1 })).toMatchObject([{ id: "A", iteration: 1, loop: "loop-1" }]);
      // A change of the metadata does not store what it only shows.
      await store.update("A", { metadata: (await store.find("A")).metadata }, 2);
      const { task } = await tell(store, "A", [ended("coder", "loop-1", "iteration-limit")]);
      expect(task).toMatchObject({ status: "todo", loop: "loop-1", iteration: 1 });
      expect(task.metadata).toEqual({
        own: 1,
        ralph_failure: {
          stage: "coder",
          iterations_used: 3,
          last_output: "the end",
          reason: "Max iterations reached without completion promise",
          loop: "loop-1",
          stop_reason: "iteration-limit",
        },
      });
      expect(idsOf(await whole.summaries({ task: "A" }))).toEqual(["loop-1"]);
      expect(idsOf(await whole.summaries({ task: "B" }))).toEqual([]);
      const other = await whole.create("loop-2", { type: "loop.started", spec, fingerprints: {} }, 1_700_000_000_002);
      const stopped = { type: "loop.stopped", reason: "stuck", detail: "" } as const;
      const ends = { loop: "loop-2", seq: 2, epoch: 0, atMs: 1_700_000_000_003, event: stopped };
      await whole.append(other, [ends], reduce(other.state, ends));
      expect(idsOf(await whole.summaries({ task: "A" }))).toEqual(["loop-2", "loop-1"]);
      expect(idsOf(await whole.summaries({ task: "A", limit: 1 }))).toEqual(["loop-2"]);
      expect(idsOf(await whole.summaries({ task: "A", active: true }))).toEqual(["loop-1"]);
    });
  });

  describe(`${name}: several processes`, () => {
    test("one of them wins that write the same entry", async () => {
      const stores = await make();
      const store = (await stores.open()).tasks;
      await store.create([someTask("A")], 1);
      expect((await stores.raceElsewhere("A", 3)).sort()).toEqual(["fenced", "fenced", "won"]);
      expect(await collect(store.entries("A"))).toHaveLength(1);
      expect((await store.load("A")).seq).toBe(1);
    });

    test("all their tasks are there, each once", async () => {
      const stores = await make();
      const store = (await stores.open()).tasks;
      const elsewhere = ["x", "y"].map((prefix) => stores.createElsewhere(prefix, 40));
      for (let n = 1; n <= 40; n++) await store.create([someTask(`own-${n}`)], n);
      expect(await Promise.all(elsewhere)).toEqual(["wrote", "wrote"]);
      expect(await store.counts()).toEqual({ todo: 120 });
      expect(await store.specs()).toMatchObject([{ id: "a-spec", tasks: 120 }]);
    });
  });
}
