import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { taskStoreContract } from "../../../test/contracts/task-store.ts";
import { someSpec } from "../../../test/support/spec.ts";
import { storeProcess } from "../../../test/support/store-process.ts";
import { finished, idsOf, someTask, tell } from "../../../test/support/task.ts";
import { openDatabase } from "./driver.ts";
import { STEPS } from "./migrations.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { listing } from "./task-statements.ts";

function databasePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-tasks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return join(folder, "ralph.db");
}

async function opened(path: string) {
  const store = await openSqliteStore(path);
  onTestFinished(store.close);
  return store;
}

taskStoreContract("SQLite", async () => {
  const path = databasePath();
  return {
    open: () => opened(path),
    createElsewhere: async (prefix, tasks) => (await storeProcess("tasks", path, prefix, String(tasks))).said,
    async raceElsewhere(task, racers) {
      const all = await Promise.all(Array.from({ length: racers }, () => storeProcess("race-task", path, task)));
      await Promise.all(all.map(({ ready }) => ready));
      for (const { child } of all) child.send("go");
      return Promise.all(all.map(({ said }) => said));
    },
  };
});

test("upgrades a database with loops of an earlier version, and loses none", async () => {
  const path = databasePath();
  mkdirSync(join(path, ".."), { recursive: true });
  const db = openDatabase(path);
  for (const step of STEPS.slice(0, 2)) db.exec(step);
  db.exec("PRAGMA user_version = 2");
  const { part: _, ...spec } = someSpec();
  for (const id of ["one", "two"]) {
    db.exec(
      `INSERT INTO loops VALUES ('${id}', 'harness', 'a task', '/', 1, 0, 'running', NULL, '', 0, 10, 0.5, 3, NULL, 7, 7, 'me', 1, 2)`,
    );
    const started = JSON.stringify({ type: "loop.started", spec, fingerprints: { a: "1" } });
    db.prepare("INSERT INTO entries VALUES (?, 1, 0, 7, ?)").run(id, started);
    db.prepare("INSERT INTO inbox (loop, at_ms, command, requested_by) VALUES (?, 8, 'cancel', 'me')").run(id);
  }
  db.close();
  const store = await opened(path);
  const kept = { costUsd: 0.5, holder: "me", proved: { proved: 1, of: 2 }, part: null };
  expect(await store.summaries()).toMatchObject([
    { id: "one", ...kept },
    { id: "two", ...kept },
  ]);
  expect(await store.inbox.requests({ kind: "loop", id: "two" })).toEqual([{ command: "cancel", by: "me" }]);
  expect((await store.load("one")).state).toMatchObject({ spec: { title: "a task", part: null } });
  expect(await store.tasks.list()).toEqual([]);
  await store.tasks.create([someTask("A")], 1);
  expect(idsOf(await store.tasks.next({ begun: false, limit: 1 }))).toEqual(["A"]);
});

const ALL = { status: false, parent: false };

test.each([
  [{ spec: false, only: "ready" }, "tasks_ready"],
  [{ spec: true, only: "ready" }, "tasks_ready_by_spec"],
  [{ spec: false, only: "begun" }, "tasks_by_status"],
  [{ spec: false, only: null }, "tasks_in_order"],
  [{ spec: true, only: null }, "tasks_by_spec"],
] as const)("the tasks of %j are read from an index", async (which, index) => {
  const path = databasePath();
  (await openSqliteStore(path)).close();
  const db = openDatabase(path);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${listing({ ...ALL, ...which })}`);
  const steps = plan.all({ limit: 1, ...(which.spec ? { spec: "s" } : {}) }).map((row) => String(row.detail));
  db.close();
  expect(steps[0]).toMatch(new RegExp(`^(SEARCH|SCAN) t USING INDEX ${index}\\b`));
  // Few tasks are started.
  expect(steps.some((step) => step.includes("B-TREE"))).toBe(which.only === "begun");
});

test("the journal takes precedence over a row", async () => {
  const path = databasePath();
  const store = await opened(path);
  await store.tasks.create([someTask("A"), someTask("B", { dependencies: ["A"] }), someTask("C")], 1);
  await tell(store.tasks, "C", finished);
  const db = openDatabase(path);
  db.exec("UPDATE tasks SET status = 'done', held = 1, seq = 0 WHERE id = 'A'");
  db.exec("UPDATE tasks SET open = 0 WHERE id = 'B'; DELETE FROM dependencies");
  db.exec("UPDATE tasks SET status = 'todo', seq = 0 WHERE id = 'C'");
  expect(idsOf(await store.tasks.next({ begun: false, limit: 9 }))).toEqual(["B", "C"]);
  expect((await store.tasks.load("C")).state.status).toBe("done");
  expect([await store.tasks.repair("A"), await store.tasks.repair("C")]).toEqual(["done", "todo"]);
  expect([await store.tasks.repair("A"), await store.tasks.repair("C")]).toEqual([null, null]);
  await store.tasks.recount();
  expect(idsOf(await store.tasks.next({ begun: false, limit: 9 }))).toEqual(["A"]);
  await tell(store.tasks, "A", finished);
  expect(idsOf(await store.tasks.next({ begun: false, limit: 9 }))).toEqual(["B"]);
  // A missing row is restored as given; its journal takes precedence.
  const [a, b] = [await store.tasks.load("A"), await store.tasks.load("B")];
  db.exec("DELETE FROM tasks WHERE id IN ('A', 'B'); DELETE FROM entries WHERE subject = 'task/B'");
  await store.tasks.restore([b, { ...a, state: b.state }], "me", 9);
  expect((await store.tasks.load("A")).state).toEqual(a.state);
  expect(await store.tasks.load("B")).toMatchObject({ seq: 1, state: b.state, task: { dependencies: ["A"] } });
  expect(idsOf(await store.tasks.next({ begun: false, limit: 9 }))).toEqual(["B"]);
  // A journal with a gap is unusable.
  db.exec("DELETE FROM entries WHERE subject = 'task/C' AND seq = 2");
  for (const look of [store.tasks.load("C"), store.tasks.repair("C")])
    await expect(look).rejects.toMatchObject({ code: "journal-damaged", message: expect.stringContaining("entry 2") });
  db.exec("DELETE FROM entries WHERE subject = 'task/A' AND seq > 3");
  await expect(store.tasks.load("A")).rejects.toMatchObject({ message: expect.stringContaining("entry 4") });
  db.close();
});
