import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LoopPulse, Pulses } from "../../core/pulse.ts";
import { openDatabase } from "./driver.ts";
import { pulsesIn } from "./pulses.ts";

const PULSE: LoopPulse = {
  agent: "claude",
  model: "opus",
  turnBeganMs: 1_000,
  doing: { kind: "tool", text: "Bash npm test", sinceMs: 1_500 },
  heardMs: 2_000,
  costUsd: 0.25,
  tokens: 1_200,
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "ralph-pulses-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function opened(path: string): Pulses {
  const pulses = pulsesIn(path);
  onTestFinished(() => pulses.close());
  return pulses;
}

const nowMs = Date.now();
const loop = (id: string, pulse: LoopPulse = PULSE) => ({ kind: "loop" as const, id, pulse });
const execution = {
  kind: "execution" as const,
  id: "e",
  pulse: {
    holder: { pid: 1, machine: "m" },
    startedMs: 1,
    target: "main",
    slots: [null, { task: "T-1", sinceMs: 2 }],
    merging: ["T-1"],
  },
};

test("every connection reads the newest row of each driver, and notices every change, its own process's too", async () => {
  const path = join(folder(), "pulses.db");
  const [driver, other] = [opened(path), opened(path)];
  const seen = new Set<string>();
  const isNew = async () => {
    const { size } = seen;
    seen.add(await driver.revision());
    return seen.size > size;
  };
  expect(await driver.all()).toEqual([]);
  await isNew();
  driver.beat(loop("a"), nowMs);
  expect(await isNew()).toBe(true);
  driver.beat(loop("a", { ...PULSE, doing: null }), nowMs + 1);
  other.beat(execution, nowMs + 2);
  expect(await isNew()).toBe(true);
  expect(await isNew()).toBe(false);
  const all = [
    { ...execution, atMs: nowMs + 2 },
    { ...loop("a", { ...PULSE, doing: null }), atMs: nowMs + 1 },
  ];
  for (const pulses of [driver, other]) expect(await pulses.all()).toEqual(all);
  driver.end({ kind: "loop", id: "a" });
  expect(await isNew()).toBe(true);
  expect(await other.all()).toEqual([all[0]]);
});

test("who only reads, and a driver that ends before it wrote anything, creates nothing", async () => {
  const path = folder();
  const pulses = opened(join(path, "pulses.db"));
  expect([await pulses.all(), await pulses.revision()]).toEqual([[], ""]);
  pulses.end({ kind: "loop", id: "a" });
  expect(readdirSync(path)).toEqual([]);
});

test.each<[string, (path: string) => void]>([
  ["that is damaged", (path) => writeFileSync(path, "This is no database. ".repeat(100))],
  [
    "of another version",
    (path) => {
      const db = openDatabase(path);
      db.exec("CREATE TABLE pulses (it TEXT); PRAGMA user_version = 99");
      db.close();
    },
  ],
])("a file %s is made again by the next write", async (_name, spoil) => {
  const path = join(folder(), "pulses.db");
  spoil(path);
  const [driver, other] = [opened(path), opened(path)];
  expect(await other.all()).toEqual([]);
  driver.beat(loop("a"), nowMs);
  expect(await other.all()).toEqual([{ ...loop("a"), atMs: nowMs }]);
});

test("a file that was removed is made again, and readers find it", async () => {
  const path = join(folder(), "pulses.db");
  const [driver, other] = [opened(path), opened(path)];
  driver.beat(loop("a"), nowMs);
  expect(await other.all()).toHaveLength(1);
  for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  expect(await other.all()).toEqual([]);
  driver.beat(loop("b"), nowMs);
  expect(await other.all()).toEqual([{ ...loop("b"), atMs: nowMs }]);
});

test("a driver works on where nothing can be written", () => {
  const path = join(folder(), "missing", "pulses.db");
  opened(path).beat(loop("a"), nowMs);
  expect(existsSync(path)).toBe(false);
});

test("a busy file gets the newest row as soon as it is free", async () => {
  const path = join(folder(), "pulses.db");
  const [driver, other] = [opened(path), opened(path)];
  driver.beat(loop("a"), nowMs);
  const db = openDatabase(path);
  db.exec("BEGIN IMMEDIATE");
  for (const tokens of [1, 2, 3]) driver.beat(loop("a", { ...PULSE, tokens }), nowMs + tokens);
  expect(await other.all()).toEqual([{ ...loop("a"), atMs: nowMs }]);
  db.exec("ROLLBACK");
  db.close();
  await expect
    .poll(() => other.all(), { timeout: 60_000 })
    .toEqual([{ ...loop("a", { ...PULSE, tokens: 3 }), atMs: nowMs + 3 }]);
});

test("what another program wrote is no pulse, and has no control characters", async () => {
  const path = join(folder(), "pulses.db");
  const pulses = opened(path);
  pulses.beat(loop("a", { ...PULSE, agent: "\u001b[31mred" }), nowMs);
  const db = openDatabase(path);
  db.exec(
    `INSERT INTO pulses VALUES ('loop', 'b', 1, 'no json'), ('moon', 'c', 1, '{}'), ('loop', 'd', 1, '{"doing": 7}')`,
  );
  db.close();
  const found = await pulses.all();
  expect(found.map(({ id }) => id)).toEqual(["a", "d"]);
  expect(JSON.stringify(found)).not.toContain("\\u001b");
});
