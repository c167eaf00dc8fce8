import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { LoopPulse } from "../../core/pulse.ts";
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

const idsIn = async (path: string) => (await pulsesIn(path).all()).map(({ id }) => id);

test("every process reads the newest row of each driver, and notices every change, its own too", async () => {
  const path = join(folder(), "pulses");
  const [driver, other] = [pulsesIn(path), pulsesIn(path)];
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
  const all = [
    { ...execution, atMs: nowMs + 2 },
    { ...loop("a", { ...PULSE, doing: null }), atMs: nowMs + 1 },
  ];
  for (const pulses of [driver, other]) expect(await pulses.all()).toEqual(all);
  driver.end({ kind: "loop", id: "a" });
  expect(await isNew()).toBe(true);
  expect(await other.all()).toEqual([all[0]]);
  expect(readdirSync(path)).toEqual(["execution-e.json"]);
});

test("where nothing was written for a while, nothing has changed", async () => {
  const pulses = pulsesIn(join(folder(), "pulses"));
  pulses.beat(loop("a"), nowMs);
  const then = Date.now() + 60_000;
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(then);
  expect(await pulses.revision()).toBe(await pulses.revision());
});

test("who only reads, and a driver that ends before it wrote anything, creates nothing", async () => {
  const path = folder();
  const pulses = pulsesIn(join(path, "pulses"));
  expect([await pulses.all(), await pulses.revision()]).toEqual([[], ""]);
  pulses.end({ kind: "loop", id: "a" });
  expect(readdirSync(path)).toEqual([]);
});

test("a folder that was removed is made again, and readers find it", async () => {
  const path = join(folder(), "pulses");
  const [driver, other] = [pulsesIn(path), pulsesIn(path)];
  driver.beat(loop("a"), nowMs);
  expect(await other.all()).toHaveLength(1);
  rmSync(path, { recursive: true });
  expect(await other.all()).toEqual([]);
  driver.beat(loop("b"), nowMs);
  expect(await other.all()).toEqual([{ ...loop("b"), atMs: nowMs }]);
});

test("a driver works on where nothing can be written", () => {
  const path = join(folder(), "missing", "pulses");
  pulsesIn(path).beat(loop("a"), nowMs);
  expect(existsSync(path)).toBe(false);
});

test("what killed drivers left is removed after a week, and nothing else", () => {
  const path = join(folder(), "pulses");
  mkdirSync(path);
  const names = ["loop-old.json", "loop-old.json.12.tmp", "notes.txt", "loop-new.json"];
  const weekAgo = nowMs / 1_000 - 8 * 86_400;
  for (const name of names) {
    writeFileSync(join(path, name), "{}");
    if (name !== "loop-new.json") utimesSync(join(path, name), weekAgo, weekAgo);
  }
  pulsesIn(path).beat(loop("a"), nowMs);
  expect(readdirSync(path).sort()).toEqual(["loop-a.json", "loop-new.json", "notes.txt"]);
});

/** Another program's row. */
const row = (pulse: unknown = PULSE, atMs: unknown = nowMs) => JSON.stringify({ atMs, pulse });
const put = (path: string, name: string, text: string) => writeFileSync(join(path, name), text);

test.each<[string, (path: string, outside: string) => void]>([
  ["a database of another version", (path) => put(path, "pulses.db", "SQLite format 3\0")],
  ["no JSON", (path) => put(path, "loop-b.json", "no json")],
  ["nothing", (path) => put(path, "loop-b.json", "")],
  ["another kind", (path) => put(path, "moon-b.json", row())],
  ["a NUL", (path) => put(path, "loop-b.json", `${row()}\0`)],
  ["a wrong type", (path) => put(path, "loop-b.json", row(7))],
  ["a million brackets", (path) => put(path, "loop-b.json", "[".repeat(60_000))],
  ["more than any pulse has", (path) => put(path, "loop-b.json", row({ ...PULSE, pad: "x".repeat(100_000) }))],
  ["a terminal sequence as its id", (path) => put(path, "loop-\u001b]0;x\u0007b.json", row())],
  ["an id that leads elsewhere", (path) => put(path, "execution-..%2f..\\evil.json", row())],
  ["an id that begins with a dot", (path) => put(path, "execution-..json", row())],
  ["a folder", (path) => mkdirSync(join(path, "loop-b.json"))],
  ["a pipe", (path) => execFileSync("mkfifo", [join(path, "loop-b.json")])],
  ["a symlink", (path, outside) => symlinkSync(outside, join(path, "loop-b.json"))],
  ["a device", (path) => symlinkSync("/dev/zero", join(path, "loop-b.json"))],
])("a row with %s is no pulse, and others are read and written", async (_name, plant) => {
  const home = folder();
  const [path, outside] = [join(home, "pulses"), join(home, "outside.json")];
  writeFileSync(outside, row());
  const driver = pulsesIn(path);
  driver.beat(loop("a"), nowMs);
  plant(path, outside);
  expect(await idsIn(path)).toEqual(["a"]);
  driver.beat(loop("c"), nowMs);
  expect(await idsIn(path)).toEqual(["a", "c"]);
});

test("what another program wrote has no control characters, and its time is a date", async () => {
  const path = join(folder(), "pulses");
  const pulses = pulsesIn(path);
  pulses.beat(loop("a", { ...PULSE, agent: "\u001b[31mred" }), nowMs);
  put(path, "loop-b.json", row(PULSE, 1e300));
  put(path, "loop-c.json", row(PULSE, { toString: 1 }));
  const found = await pulses.all();
  expect(JSON.stringify(found)).not.toContain("\\u001b");
  expect(found.map(({ id, atMs }) => [id, atMs])).toEqual([
    ["a", nowMs],
    ["b", 8_640_000_000_000_000],
    ["c", 0],
  ]);
});

test("of very many files, and of very large ones, a bounded part is read", async () => {
  const path = join(folder(), "pulses");
  mkdirSync(path);
  for (let i = 0; i < 100; i++) put(path, `execution-${i}.json`, row({ pad: "x".repeat(60_000) }));
  expect((await idsIn(path)).length).toBeLessThan(80);
  for (let i = 0; i < 2_050; i++) put(path, `loop-${i}.json`, row());
  expect((await idsIn(path)).length).toBeLessThanOrEqual(2_000);
});

test.each<[string, (path: string, outside: string) => void]>([
  ["a file", (path) => writeFileSync(path, "no folder")],
  ["a symlink", (path, outside) => symlinkSync(outside, path)],
])("%s in place of the folder is not used, and replaced by the next write", async (_name, plant) => {
  const home = folder();
  const [path, outside] = [join(home, "pulses"), join(home, "outside")];
  mkdirSync(outside);
  put(outside, "loop-b.json", row());
  plant(path, outside);
  const pulses = pulsesIn(path);
  expect([await pulses.all(), await pulses.revision()]).toEqual([[], ""]);
  pulses.end({ kind: "loop", id: "b" });
  pulses.beat(loop("a"), nowMs);
  expect(await idsIn(path)).toEqual(["a"]);
  expect(readdirSync(outside)).toEqual(["loop-b.json"]);
});

test("a driver writes to its own file only, whatever is in its place", () => {
  const home = folder();
  const [path, outside] = [join(home, "pulses"), join(home, "outside")];
  mkdirSync(path);
  writeFileSync(outside, "mine");
  symlinkSync(outside, join(path, "loop-a.json"));
  linkSync(outside, join(path, "loop-b.json"));
  symlinkSync(outside, join(path, `loop-c.json.${process.pid}.tmp`));
  mkdirSync(join(path, "loop-d.json"));
  const pulses = pulsesIn(path);
  for (const id of ["a", "b", "c", "d", "../evil", "e\0", "f".repeat(65)]) pulses.beat(loop(id), nowMs);
  pulses.end({ kind: "loop", id: "../outside" });
  pulses.beat(loop("c"), nowMs);
  expect(readFileSync(outside, "utf8")).toBe("mine");
  expect(readdirSync(path).sort()).toEqual(["loop-a.json", "loop-b.json", "loop-c.json", "loop-d.json"]);
  for (const id of ["a", "b", "c"]) expect(lstatSync(join(path, `loop-${id}.json`)).isFile()).toBe(true);
  expect(readdirSync(home).sort()).toEqual(["outside", "pulses"]);
});
