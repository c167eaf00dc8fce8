import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { taskStoreContract } from "../../test/contracts/task-store.ts";
import { someSpec } from "../../test/support/spec.ts";
import { storeProcess } from "../../test/support/store-process.ts";
import { finished, idsOf, someTask, tell } from "../../test/support/task.ts";
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

test("finds room beside the loops of an earlier version, and loses none of them", async () => {
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
  expect(await store.requests("two")).toEqual([{ command: "cancel", by: "me" }]);
  expect((await store.load("one")).state).toMatchObject({ spec: { title: "a task", part: null } });
  expect(await store.tasks.list()).toEqual([]);
  await store.tasks.create([someTask("A")], 1);
  expect(idsOf(await store.tasks.next({ begun: false, limit: 1 }))).toEqual(["A"]);
});

test("a state that was cleared is the fold of the entries again", async () => {
  const path = databasePath();
  const { tasks } = await opened(path);
  await tasks.create([someTask("A")], 1);
  const { state } = await tell(tasks, "A", finished);
  const db = openDatabase(path);
  db.exec("UPDATE tasks SET state = NULL");
  db.close();
  expect(await tasks.load("A")).toMatchObject({ seq: finished.length, state });
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
  // Those that are begun are few.
  expect(steps.some((step) => step.includes("B-TREE"))).toBe(which.only === "begun");
});
