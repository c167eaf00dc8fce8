import { describe, expect, test } from "vitest";
import { NEW_TASK } from "../../src/core/task/state.ts";
import type { TaskStore } from "../../src/core/task/store.ts";
import type { NewTask, Task } from "../../src/core/task/task.ts";
import { collect, finished, idsOf, prepared, someTask, type TaskStores, taken, tell } from "../support/task.ts";
import { taskJournalContract } from "./task-journal.ts";

const ready = async (store: TaskStore, limit = 1_000): Promise<string[]> =>
  idsOf(await store.next({ begun: false, limit }));

async function dumpOf(store: TaskStore): Promise<{ tasks: Task[]; specs: unknown; ready: string[] }> {
  return { tasks: await collect(store.all()), specs: await store.specs(), ready: await ready(store) };
}

/** The contract of a store of tasks. */
export function taskStoreContract(name: string, make: () => Promise<TaskStores>): void {
  const opened = async () => (await (await make()).open()).tasks;

  describe(`${name}: stored values`, () => {
    test("returns every field of a task", async () => {
      const store = await opened();
      const whole = someTask("TASK-001", {
        description: "“Say” – ✓",
        priority: 3,
        assignee: "qa",
        metadata: { parent: "TASK-000", own: { deep: [1, null] } },
        completionSpec: { outcome: "It works", acceptance_criteria: ["It greets"], coder: { promise: "DONE" } },
      });
      expect(await store.create([whole, someTask("T.2", { dependencies: ["TASK-001"] })], 1_000)).toEqual(["a-spec"]);
      const kept = {
        ...whole,
        status: "todo",
        iteration: 0,
        createdAtMs: 1_000,
        updatedAtMs: 1_000,
        held: false,
        loop: null,
        proof: null,
      };
      expect(await store.find("TASK-001")).toEqual(kept);
      expect(await store.load("TASK-001")).toMatchObject({ task: kept, seq: 0, state: NEW_TASK });
      expect(await collect(store.all())).toEqual([kept, await store.find("T.2")]);
      const { description: _, metadata: __, completionSpec: ___, ...summary } = kept;
      expect((await store.list({ limit: 2 }))[1]).toEqual(summary);
    });

    test("keeps specs, creates those that a task names, and lets the user fill them in", async () => {
      const store = await opened();
      const spec = { id: "my-spec", title: "My spec", content: "# What for" };
      expect(await store.createSpec(spec, 1)).toEqual({ ...spec, createdAtMs: 1 });
      await expect(store.createSpec(spec, 2)).rejects.toMatchObject({ code: "spec-exists", exitCode: 2 });
      await expect(store.createSpec({ ...spec, id: "My-Spec" }, 2)).rejects.toMatchObject({ code: "spec-exists" });
      await expect(store.createSpec({ ...spec, id: "a/b" }, 2)).rejects.toMatchObject({ code: "spec-id" });
      const tasks = [
        someTask("A", { specId: "my-spec" }),
        someTask("B", { specId: "new" }),
        someTask("C", { specId: "new" }),
      ];
      expect(await store.create(tasks, 5)).toEqual(["new"]);
      expect(await store.spec("new")).toEqual({ id: "new", title: "new", content: "", createdAtMs: 5 });
      const own = { id: "new", title: "Written later", content: "text" };
      expect(await store.createSpec(own, 9)).toEqual({ ...own, createdAtMs: 5 });
      await expect(store.createSpec(own, 9)).rejects.toMatchObject({ code: "spec-exists" });
      await tell(store, "B", finished);
      expect(await store.specs()).toEqual([
        { id: "my-spec", title: "My spec", createdAtMs: 1, tasks: 1, done: 0 },
        { id: "new", title: "Written later", createdAtMs: 5, tasks: 2, done: 1 },
      ]);
      expect(await store.spec("none")).toBeNull();
    });

    test.each<[string, NewTask[], string, string]>([
      ["an existing id", [someTask("ok"), someTask("A")], "task-exists", "A"],
      ["an id that differs only in case", [someTask("ok"), someTask("a")], "task-exists", "the id a differs from A"],
      ["an id given twice", [someTask("ok"), someTask("B"), someTask("B")], "task-twice", "B"],
      ["two that differ only in case", [someTask("B"), someTask("b")], "task-exists", "the id b differs from B"],
      ["no id", [someTask("ok"), someTask("../x")], "task-id", '"../x"'],
      ["an empty spec id", [someTask("ok", { specId: "a b" })], "spec-id", '"a b"'],
      ["a spec in another case", [someTask("ok", { specId: "A-Spec" })], "spec-exists", "A-Spec differs from a-spec"],
      [
        "an unknown dependency",
        [someTask("ok", { dependencies: ["A", "X"] }), someTask("p", { dependencies: ["a"] })],
        "dependency-unknown",
        "ok depends on X, which does not exist; p depends on a, which",
      ],
      [
        "a task that depends on itself",
        [someTask("ok", { dependencies: ["ok"] })],
        "dependency-circle",
        "ok depends on itself: ok → ok",
      ],
      [
        "a circle",
        [
          someTask("p", { dependencies: ["q"] }),
          someTask("q", { dependencies: ["A", "r"] }),
          someTask("r", { dependencies: ["q"] }),
        ],
        "dependency-circle",
        "q → r → q",
      ],
    ])("writes nothing at all with %s", async (_name, tasks, code, says) => {
      const store = await opened();
      await store.create([someTask("A")], 1);
      const before = await dumpOf(store);
      const given = [someTask("fine", { specId: "another", dependencies: ["A"] }), ...tasks];
      await expect(store.create(given, 2)).rejects.toMatchObject({
        code,
        exitCode: 2,
        message: expect.stringContaining(says),
        hint: expect.stringMatching(/\w/),
      });
      expect(await dumpOf(store)).toEqual(before);
    });

    test("knows no task that was not created, and suggests similar ones", async () => {
      const store = await opened();
      await store.create(
        ["TASK-001", "TASK-002", "TASK-003", "TASK-104", "other"].map((id) => someTask(id)),
        1,
      );
      await expect(store.find("task-004")).rejects.toMatchObject({
        code: "task-unknown",
        message: "there is no task task-004, did you mean TASK-001 or TASK-002 or TASK-003?",
        hint: expect.stringContaining("ralph task list"),
      });
      const nothing = { code: "task-unknown", message: "there is no task nothing-like-it" };
      await expect(store.find("nothing-like-it")).rejects.toMatchObject(nothing);
      await expect(store.load("nothing-like-it")).rejects.toMatchObject(nothing);
      await expect(store.update("nothing-like-it", { title: "x" }, 1)).rejects.toMatchObject(nothing);
      await expect(store.remove("nothing-like-it")).rejects.toMatchObject(nothing);
      await expect(store.adopt("nothing-like-it", taken, 1, "")).rejects.toMatchObject(nothing);
      expect(await collect(store.entries("nothing-like-it"))).toEqual([]);
    });

    test("changes the requested fields, and nothing else", async () => {
      const store = await opened();
      await store.create([someTask("A"), someTask("B", { dependencies: ["A"], metadata: { own: 1 } })], 1);
      const before = await store.find("B");
      const change = {
        title: "New",
        priority: 7,
        metadata: { own: 2 },
        completionSpec: { outcome: "x", acceptance_criteria: [] },
      };
      const after = { ...before, ...change, updatedAtMs: 2 };
      expect(await store.update("B", change, 2)).toEqual(after);
      expect(await store.find("B")).toEqual(after);
      expect(await store.update("B", { dependencies: [] }, 3)).toMatchObject({ dependencies: [], title: "New" });
      expect(await ready(store)).toEqual(["A", "B"]);
    });

    test("refuses an unknown dependency, and a circle", async () => {
      const store = await opened();
      const chain = [someTask("A"), someTask("B", { dependencies: ["A"] }), someTask("C", { dependencies: ["B"] })];
      await store.create(chain, 1);
      const before = await dumpOf(store);
      await expect(store.update("A", { dependencies: ["X"] }, 2)).rejects.toMatchObject({ code: "dependency-unknown" });
      await expect(store.update("A", { title: "new", dependencies: ["C"] }, 2)).rejects.toMatchObject({
        code: "dependency-circle",
        message: expect.stringContaining("A → C → B → A"),
      });
      await expect(store.update("A", { dependencies: ["A"] }, 2)).rejects.toMatchObject({ code: "dependency-circle" });
      expect(await dumpOf(store)).toEqual(before);
    });

    test("keeps the status of a task in work", async () => {
      const store = await opened();
      await store.create([someTask("A")], 1);
      await tell(store, "A", [taken]);
      for (const change of [{ title: "x" }, { description: "x" }, { completionSpec: null }, { dependencies: [] }]) {
        await expect(store.update("A", change, 2)).rejects.toMatchObject({ code: "task-begun" });
      }
      expect(await store.update("A", { priority: 4, assignee: "me" }, 2)).toMatchObject({
        priority: 4,
        title: "Task A",
      });
    });

    test("takes metadata of the work only from the journals", async () => {
      const store = await opened();
      await store.create([someTask("A", { metadata: { ralph: { stage: "qa" }, ralph_failure: {}, own: 1 } })], 1);
      expect((await store.find("A")).metadata).toEqual({ own: 1 });
      expect((await store.update("A", { metadata: { ralph: 1, own: 2 } }, 2)).metadata).toEqual({ own: 2 });
    });

    test("removes a task with its journal, and only if no other task needs it", async () => {
      const store = await opened();
      await store.create(
        [someTask("A"), someTask("B", { dependencies: ["A"] }), someTask("C", { dependencies: ["A"] })],
        1,
      );
      await expect(store.remove("A")).rejects.toMatchObject({
        code: "task-needed",
        message: "task A is needed by B, C",
      });
      await tell(store, "A", finished);
      await tell(store, "B", [taken]);
      await expect(store.remove("B")).rejects.toMatchObject({ code: "task-begun" });
      await tell(store, "B", [prepared, { type: "task.dropped", by: "me" }]);
      await expect(store.remove("B")).rejects.toMatchObject({
        code: "task-unmerged",
        message: expect.stringContaining("task/it"),
      });
      await store.update("B", { dependencies: [] }, 2);
      await store.remove("C");
      await store.remove("A");
      expect(idsOf(await store.list())).toEqual(["B"]);
      expect(await collect(store.entries("A"))).toEqual([]);
      await store.create([someTask("A")], 3);
      expect((await store.load("A")).state).toEqual(NEW_TASK);
    });
  });

  describe(`${name}: the order of tasks`, () => {
    test("is by priority, then by the number of dependents, then by age", async () => {
      const store = await opened();
      const tasks = [
        someTask("late", { priority: 9 }),
        someTask("old", { priority: 2 }),
        someTask("young", { priority: 2 }),
        someTask("wanted", { priority: 2 }),
        someTask("first"),
        someTask("w1", { dependencies: ["wanted"], specId: "other" }),
        someTask("w2", { dependencies: ["wanted", "late"], specId: "other" }),
      ];
      await store.create(tasks, 1);
      expect(await ready(store)).toEqual(["first", "wanted", "old", "young", "late"]);
      expect(await ready(store, 2)).toEqual(["first", "wanted"]);
      expect(idsOf(await store.list())).toEqual(["first", "w1", "w2", "wanted", "old", "young", "late"]);
      expect(idsOf(await store.list({ ready: true, limit: 3 }))).toEqual(["first", "wanted", "old"]);
      expect(idsOf(await store.list({ spec: "other" }))).toEqual(["w1", "w2"]);
      expect(idsOf(await store.next({ begun: false, spec: "other", limit: 5 }))).toEqual([]);
      await tell(store, "wanted", finished);
      expect(await ready(store)).toEqual(["first", "w1", "old", "young", "late"]);
      expect(idsOf(await store.next({ begun: false, spec: "other", limit: 5 }))).toEqual(["w1"]);
      expect(idsOf(await store.list({ status: ["done"] }))).toEqual(["wanted"]);
      expect(idsOf(await store.list({ status: ["done", "todo"], spec: "a-spec", limit: 3 }))).toEqual([
        "first",
        "wanted",
        "old",
      ]);
      expect(idsOf(await collect(store.all({ spec: "a-spec" })))).toEqual(["late", "old", "young", "wanted", "first"]);
      expect([await store.counts(), await store.counts("other"), await store.counts("none")]).toEqual([
        { todo: 6, done: 1 },
        { todo: 2 },
        {},
      ]);
    });

    test("leaves out started, held, blocked and cancelled tasks, and those that depend on them", async () => {
      const store = await opened();
      const ids = ["begun", "held", "blocked", "dropped"];
      await store.create(
        [...ids.map((id) => someTask(id)), ...ids.map((id) => someTask(`after-${id}`, { dependencies: [id] }))],
        1,
      );
      await tell(store, "begun", [taken]);
      await tell(store, "held", [{ type: "task.cancelled", by: "me" }]);
      await tell(store, "blocked", [{ type: "task.blocked", why: "x" }]);
      await tell(store, "dropped", [{ type: "task.dropped", by: "me" }]);
      expect(await ready(store)).toEqual([]);
      expect(idsOf(await store.next({ begun: true, limit: 9 }))).toEqual(["begun"]);
      expect(idsOf(await store.next({ begun: true, spec: "none", limit: 9 }))).toEqual([]);
      for (const id of ["held", "blocked", "dropped"]) await tell(store, id, [{ type: "task.retried", by: "me" }]);
      expect(await ready(store)).toEqual(["held", "blocked", "dropped"]);
      await store.create([someTask("new", { dependencies: ["dropped"] })], 2);
      await tell(store, "dropped", finished);
      expect(await ready(store)).toEqual(["held", "blocked", "after-dropped", "new"]);
      await store.create([someTask("later", { dependencies: ["dropped"] })], 2);
      expect(await ready(store)).toContain("later");
    });
  });

  taskJournalContract(name, make);
}
