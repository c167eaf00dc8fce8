import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { storeContract } from "../../../test/contracts/store.ts";
import { someSpec } from "../../../test/support/spec.ts";
import { storeProcess } from "../../../test/support/store-process.ts";
import { turnEnded } from "../../../test/support/turns.ts";
import type { Level } from "../../core/proof/level.ts";
import { commandStage } from "../../core/proof/methods/external.ts";
import { leavesOf } from "../../core/proof/proof.ts";
import { NO_USAGE } from "../../core/usage.ts";
import { openDatabase } from "./driver.ts";
import { SCHEMA_VERSION, STEPS } from "./migrations.ts";
import { openSqliteStore, type SqliteStore } from "./sqlite-store.ts";

function databasePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return join(folder, "state", "ralph.db");
}

async function opened(path: string): Promise<SqliteStore> {
  const store = await openSqliteStore(path);
  onTestFinished(store.close);
  return store;
}

const elsewhere = async (...args: string[]): Promise<string> => (await storeProcess(...args)).said;

storeContract("SQLite", async () => {
  const path = databasePath();
  return {
    open: () => opened(path),
    writeElsewhere: (loop, entries) => elsewhere("write", path, loop, String(entries)),
    async raceElsewhere(loop, racers) {
      const all = await Promise.all(Array.from({ length: racers }, () => storeProcess("race", path, loop)));
      await Promise.all(all.map(({ ready }) => ready));
      for (const { child } of all) child.send("go");
      return Promise.all(all.map(({ said }) => said));
    },
  };
});

async function versionOf(path: string): Promise<number> {
  const db = openDatabase(path);
  onTestFinished(() => db.close());
  return Number(db.prepare("PRAGMA user_version").get()?.user_version);
}

/** A database as an earlier Ralph left it. */
async function databaseOfVersion(path: string, version: number) {
  mkdirSync(dirname(path), { recursive: true });
  const db = openDatabase(path);
  for (const step of STEPS.slice(0, version)) db.exec(step);
  db.exec(`PRAGMA user_version = ${version}`);
  return db;
}

test("creates a journal in an empty file", async () => {
  const path = `${databasePath()}.empty`;
  (await openSqliteStore(`${path}.other`)).close();
  writeFileSync(path, "");
  expect(await (await opened(path)).summaries()).toEqual([]);
  expect(await versionOf(path)).toBe(SCHEMA_VERSION);
});

test("is opened for the first time by eight processes at once", async () => {
  const path = databasePath();
  const said = await Promise.all(Array.from({ length: 8 }, () => elsewhere("open", path)));
  expect(said).toEqual(Array.from({ length: 8 }, () => "opened 0"));
  expect(await versionOf(path)).toBe(SCHEMA_VERSION);
});

test("leaves a journal of a newer version alone", async () => {
  const path = databasePath();
  (await openSqliteStore(path)).close();
  const db = openDatabase(path);
  db.exec("PRAGMA user_version = 99");
  db.close();
  await expect(openSqliteStore(path)).rejects.toMatchObject({ code: "database-newer", exitCode: 2 });
  expect(await versionOf(path)).toBe(99);
});

test("reports a file that is not a journal, and a folder that cannot be made", async () => {
  const path = databasePath();
  (await openSqliteStore(path)).close();
  const text = `${path}.txt`;
  writeFileSync(text, "this is no database, ".repeat(100));
  await expect(openSqliteStore(text)).rejects.toMatchObject({ code: "database-corrupt" });
  await expect(openSqliteStore(join(text, "ralph.db"))).rejects.toMatchObject({ name: "RalphError" });
});

test("upgrades a journal of the first version, and keeps its content", async () => {
  const path = databasePath();
  const db = await databaseOfVersion(path, 1);
  db.exec(
    `INSERT INTO loops VALUES ('old', 'harness', 'a task', '/', 2, 0, 'stopped', 'verified', '', 1, 10, 0, 0, NULL, 1, 1, '')`,
  );
  const { proof: _, feedbackMaxChars: __, ...spec } = someSpec();
  const checks = [{ name: "tests", command: "npm test", timeoutMs: 7_000 }];
  const insert = db.prepare("INSERT INTO entries VALUES ('old', ?, 0, 1, ?)");
  insert.run(1, JSON.stringify({ type: "loop.started", spec: { ...spec, checks }, fingerprints: {} }));
  insert.run(2, JSON.stringify({ type: "turn.began", n: 1, attempt: 1, agent: 0, runToken: "t", log: null }));
  db.exec(`INSERT INTO snapshots VALUES ('old', 1, '{"n": 7}')`);
  db.close();
  const store = await opened(path);
  expect(await store.summaries()).toMatchObject([{ id: "old", reason: "verified", proved: null }]);
  expect(await versionOf(path)).toBe(SCHEMA_VERSION);
  const { state } = await store.load("old");
  expect(state).toMatchObject({ n: 1, proved: null, usedTools: false, turn: { nonce: null } });
  expect(leavesOf(state.spec?.proof.stages ?? [])).toEqual([
    { ...commandStage("npm test"), name: "tests", timeoutMs: 7_000 },
  ]);
});

const oldCheck = (more: object = {}) => ({
  ...{ name: "t", command: "t", is: "pass", code: 0, reason: "exit code 0", excerpt: "", log: null, ms: 1 },
  ...more,
});
const proved = { criterion: "c", is: "proved", quote: "q", reason: "r" };

test.each<[string, object, Level]>([
  ["a fixed check", { reason: "1 of 1", checks: [oldCheck({ since: "fixed" })] }, "verified"],
  ["a check that passed before", { reason: "1 of 1", checks: [oldCheck({ since: "already passing" })] }, "still-green"],
  ["no baseline", { reason: "1 of 1", checks: [oldCheck()] }, "still-green"],
  ["a judge", { reason: "1 of 1", checks: [oldCheck({ command: "semantic", findings: [proved] })] }, "judged"],
  [
    "a judge that did not answer",
    {
      reason: "1 of 1",
      checks: [oldCheck({ command: "semantic", label: "judge unavailable" })],
      label: "judge unavailable",
    },
    "promise-only",
  ],
  [
    "a fixed optional check",
    {
      reason: "the promise was given; nothing else was checked",
      checks: [oldCheck({ since: "fixed", optional: true })],
      label: "promise only",
    },
    "promise-only",
  ],
  ["guardrails", { reason: "the promise was given and every guardrail passes", checks: [] }, "still-green"],
  [
    "a word",
    { reason: "the promise was given; nothing else was checked", checks: [], label: "promise only" },
    "promise-only",
  ],
])("a loop of an earlier version is relabelled when it is read: %s", async (_name, verdict, level) => {
  const path = databasePath();
  const db = await databaseOfVersion(path, 5);
  const { strict: _, anchor: __, ...spec } = someSpec();
  const events: object[] = [
    { type: "loop.started", spec, fingerprints: {} },
    { type: "loop.adopted", driver: "engine" },
    { type: "turn.began", n: 1, attempt: 1, agent: 0, runToken: "t", log: null, nonce: null },
    turnEnded(1),
    { type: "claim.judged", n: 1, try: 1, verdict: { is: "pass", ...verdict }, usage: NO_USAGE },
    { type: "loop.stopped", reason: "verified", detail: "" },
  ];
  db.exec(
    `INSERT INTO loops (id, door, title, cwd, seq, epoch, status, reason, detail, iteration, max_iterations, cost_usd, tokens, created_at_ms, updated_at_ms, holder)
     VALUES ('old', 'harness', 'a task', '/repo', ${events.length}, 1, 'stopped', 'verified', '', 1, 10, 0, 0, 1, 1, '')`,
  );
  const insert = db.prepare("INSERT INTO entries VALUES ('old', ?, ?, 1, ?)");
  for (const [i, event] of events.entries()) insert.run(i + 1, i === 0 ? 0 : 1, JSON.stringify(event));
  db.close();
  const store = await opened(path);
  expect(await store.summaries()).toMatchObject([{ id: "old", reason: level }]);
  expect((await store.load("old")).state.stopped).toMatchObject({ reason: level });
  expect(await store.check("old")).toMatchObject({ damage: null });
  const read: string[] = [];
  for await (const { event } of store.entries("old", 5)) if (event.type === "loop.stopped") read.push(event.reason);
  expect(read).toEqual([level]);
});
