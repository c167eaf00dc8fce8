import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runsContract } from "../../../test/contracts/runs.ts";
import { subjectContract } from "../../../test/contracts/subject.ts";
import { someSpec } from "../../../test/support/spec.ts";
import { storeProcess } from "../../../test/support/store-process.ts";
import { taken } from "../../../test/support/task.ts";
import { aStep, runStarted } from "../../../test/support/workflow.ts";
import { openDatabase } from "./driver.ts";
import { STEPS } from "./migrations.ts";
import { listingRuns, SQL } from "./run-rows.ts";
import { openSqliteStore } from "./sqlite-store.ts";

function databasePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return join(folder, "ralph.db");
}

async function opened(path: string) {
  const store = await openSqliteStore(path);
  onTestFinished(store.close);
  return store;
}

const elsewhere = async (...args: string[]): Promise<string> => (await storeProcess(...args)).said;

subjectContract("SQLite", async () => {
  const path = databasePath();
  return { open: () => opened(path) };
});

runsContract("SQLite", async () => {
  const path = databasePath();
  return {
    open: () => opened(path),
    writeElsewhere: (run, entries) => elsewhere("write-run", path, run, String(entries)),
    hearElsewhere: (conversation, messages) => elsewhere("hear", path, conversation, String(messages)),
    async raceElsewhere(run, racers) {
      const all = await Promise.all(Array.from({ length: racers }, () => storeProcess("race-run", path, run)));
      await Promise.all(all.map(({ ready }) => ready));
      for (const { child } of all) child.send("go");
      return Promise.all(all.map(({ said }) => said));
    },
  };
});

/** A database of the previous version, with two loops and a task whose clocks did not agree. */
async function earlierDatabase(path: string): Promise<void> {
  const db = openDatabase(path);
  for (const step of STEPS.slice(0, 3)) db.exec(step);
  db.exec("PRAGMA user_version = 3");
  const { run: _, session: __, ends: ___, ...spec } = someSpec();
  const entry = db.prepare("INSERT INTO entries VALUES (?, ?, 0, ?, ?)");
  for (const [id, times] of Object.entries({ one: [10, 40], two: [20, 30] })) {
    db.exec(
      `INSERT INTO loops VALUES ('${id}', 'harness', 'a task', '/', 2, 0, 'running', NULL, '', 0, 10, 0.5, 3, NULL, 7, 7, 'me', 1, 2, NULL, NULL)`,
    );
    entry.run(id, 1, times[0] ?? 0, JSON.stringify({ type: "loop.started", spec, fingerprints: {} }));
    entry.run(id, 2, times[1] ?? 0, JSON.stringify({ type: "loop.adopted", driver: "engine" }));
    db.exec(`INSERT INTO snapshots VALUES ('${id}', 1, '{"n": 7}')`);
  }
  db.exec(`INSERT INTO tasks (id, spec, title, description, priority, dependencies, assignee, metadata, created_at_ms,
    updated_at_ms, open, dependants, seq) VALUES ('T', 's', 't', '', 1, '[]', '', '{}', 1, 1, 0, 0, 2)`);
  const taskEntry = db.prepare("INSERT INTO task_entries VALUES ('T', ?, ?, ?)");
  taskEntry.run(1, 35, JSON.stringify(taken));
  taskEntry.run(2, 15, JSON.stringify({ type: "task.cancelled", by: "me" }));
  db.close();
}

test("upgrades the database of an earlier version, and its feed starts with the old entries", async () => {
  const path = databasePath();
  await earlierDatabase(path);
  const store = await opened(path);
  const entries = await store.feed.after(0, 100);
  expect(entries.map(({ kind, subject, seq, atMs }) => `${kind} ${subject} ${seq} ${atMs}`)).toEqual([
    "loop one 1 10",
    "loop two 1 20",
    "loop two 2 30",
    "task T 1 35",
    "task T 2 15",
    "loop one 2 40",
  ]);
  expect(entries[0]?.event).toMatchObject({ type: "loop.started", spec: { run: null, session: null, ends: "claim" } });
  expect(await store.summaries()).toMatchObject([
    { id: "one", run: null, costUsd: 0.5, holder: "me" },
    { id: "two", run: null },
  ]);
  expect((await store.load("one")).state).toMatchObject({ n: 0, previous: null, spec: { ends: "claim" } });
  await store.runs.create("r1", runStarted([aStep("plan")]), 50);
  expect(await store.feed.after(6, 10)).toMatchObject([{ id: 7, kind: "run", subject: "r1" }]);
});

test("is upgraded by several processes at once, and contains everything once", async () => {
  const path = databasePath();
  await earlierDatabase(path);
  expect(await Promise.all([1, 2, 3].map(() => elsewhere("open", path)))).toEqual(Array(3).fill("opened 2"));
  expect(await (await opened(path)).feed.after(0, 100)).toHaveLength(6);
});

const some = { status: false, conversation: false, talking: null, oldestFirst: true };
test.each([
  ["those with a status", listingRuns({ ...some, status: true }), "SEARCH workflow_runs USING INDEX runs_by_status"],
  [
    "those with a status, newest first",
    listingRuns({ ...some, status: true, oldestFirst: false }),
    "SEARCH workflow_runs USING INDEX runs_by_status",
  ],
  [
    "those with a conversation and a status",
    listingRuns({ ...some, status: true, conversation: true }),
    "SEARCH workflow_runs USING INDEX runs_by_conversation",
  ],
  ["their number", SQL.counts, "SCAN workflow_runs USING COVERING INDEX runs_by_status"],
  ["a page of messages", SQL.messages, "SEARCH messages USING INDEX messages_by_conversation"],
  ["the latest messages", SQL.latestMessages, "SEARCH messages USING INDEX messages_by_conversation"],
  ["received messages", SQL.isHeard, "SEARCH messages USING COVERING INDEX messages_heard"],
])("an index returns %s in order", async (_name, text, first) => {
  const path = databasePath();
  (await openSqliteStore(path)).close();
  const db = openDatabase(path);
  const steps = db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(valuesFor(text))
    .map((row) => String(row.detail));
  db.close();
  expect(steps[0]).toContain(first);
  expect(steps.join("\n")).not.toContain("B-TREE");
});

const valuesFor = (text: string) =>
  Object.fromEntries([...new Set(text.match(/:\w+/g) ?? [])].map((name) => [name.slice(1), 1]));
