import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { storeProcess } from "../../../test/support/store-process.ts";
import { openDatabase } from "./driver.ts";
import { leasesIn } from "./lease.ts";

const loop = (id: string) => ({ kind: "loop", id }) as const;

function leases(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-lease-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "leases");
}

async function holder(folder: string, loop: string) {
  const { child, said, ended } = await storeProcess("hold", folder, loop);
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, said: await said, ended };
}

test("is taken once, also within a process, until it is released", async () => {
  const folder = leases();
  const lease = await leasesIn(folder).take(loop("one"));
  expect(await leasesIn(folder).take(loop("one"))).toBeNull();
  const other = await leasesIn(folder).take(loop("two"));
  expect(other).not.toBeNull();
  expect(await leasesIn(folder).take(loop("one"))).toBeNull();
  lease?.release();
  const again = await leasesIn(folder).take(loop("one"));
  expect(again).not.toBeNull();
  again?.release();
  other?.release();
});

test("is lost with its file, and reports it", { timeout: 60_000 }, async () => {
  const folder = leases();
  const lease = await leasesIn(folder).take(loop("one"));
  expect(lease?.isHeld()).toBe(true);
  rmSync(join(folder, "one.lock"));
  expect(lease?.isHeld()).toBe(false);
  await vi.waitFor(() => expect(lease?.lost.aborted).toBe(true), { timeout: 30_000 });
  const other = await leasesIn(folder).take(loop("one"));
  expect([lease?.isHeld(), other?.isHeld()]).toEqual([false, true]);
  expect(other?.lost.aborted).toBe(false);
  for (const each of [lease, other]) each?.release();
});

test("is held by one of many concurrent requesters, and waiting for it or reading it delays no one", async () => {
  const folder = leases();
  const wanted = await Promise.all(Array.from({ length: 20 }, () => leasesIn(folder).take(loop("one"))));
  expect(wanted.filter((lease) => lease !== null)).toHaveLength(1);
  // For waiting processes no time passes until others had their turn.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = leasesIn(folder).take(loop("one"));
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  vi.setSystemTime(Date.now() + 1_000);
  expect(await waiting).toBeNull();
  expect(await leasesIn(folder).isTaken(loop("one"))).toBe(true);
  for (const lease of wanted) lease?.release();
  expect(await leasesIn(folder).isTaken(loop("one"))).toBe(false);
});

test("keeps other processes out, and reading it does not release it", async () => {
  const folder = leases();
  const first = await holder(folder, "one");
  const second = await holder(folder, "one");
  expect([first.said, second.said]).toEqual(["held", "refused"]);
  for (let look = 0; look < 5; look++) expect(await leasesIn(folder).take(loop("one"))).toBeNull();
  expect((await holder(folder, "one")).said).toBe("refused");
});

test("is free as soon as its holder is killed", async () => {
  const folder = leases();
  for (let round = 0; round < 3; round++) {
    const { child, said, ended } = await holder(folder, "one");
    expect(said).toBe("held");
    child.kill("SIGKILL");
    await ended;
    const lease = await leasesIn(folder).take(loop("one"));
    expect(lease).not.toBeNull();
    lease?.release();
  }
});

test("readers do not take each other for a holder, and create nothing", async () => {
  const folder = leases();
  const { areTaken, takeNow } = leasesIn(folder);
  expect(await areTaken([loop("one"), { kind: "execution", id: "e" }])).toEqual([false, false]);
  expect(existsSync(folder)).toBe(false);
  takeNow(loop("one"))?.release();
  const other = openDatabase(join(folder, "one.lock"));
  other.exec("BEGIN; SELECT 1 FROM sqlite_master");
  expect(await areTaken([loop("one")])).toEqual([false]);
  expect(takeNow(loop("one"))).toBeNull();
  other.close();
  const lease = takeNow(loop("one"));
  expect(await areTaken([loop("two"), loop("one")])).toEqual([false, true]);
  lease?.release();
});

test.each<[string, (path: string) => void]>([
  ["no database", (path) => writeFileSync(path, "A".repeat(5_000))],
  ["a folder", (path) => mkdirSync(path)],
])("a lock that is %s is not taken, is refused to who wants it, and hides no other", async (_name, spoil) => {
  const folder = leases();
  const { take, areTaken, takeNow } = leasesIn(folder);
  const lease = await take(loop("two"));
  spoil(join(folder, "one.lock"));
  expect(await areTaken([loop("one"), loop("two")])).toEqual([false, true]);
  await expect(take(loop("one"))).rejects.toMatchObject({ code: expect.stringMatching(/^database-/) });
  expect(() => takeNow(loop("one"))).toThrow("one.lock");
  lease?.release();
});

test("a lock that is held is taken, whatever is written into its file", async () => {
  const folder = leases();
  const lease = leasesIn(folder).takeNow(loop("one"));
  appendFileSync(join(folder, "one.lock"), "A".repeat(5_000));
  expect(await leasesIn(folder).isTaken(loop("one"))).toBe(true);
  lease?.release();
});

test.each([
  "/../../../evil",
  "../evil",
  "a/b",
  "",
  ".",
  "a\0",
  "\u001b]0;x\u0007a",
  "x".repeat(65),
])("%j names no lease, and no file", async (id) => {
  const folder = leases();
  const { take, areTaken, takeNow } = leasesIn(folder);
  const planted = openDatabase(join(dirname(folder), "evil.lock"));
  planted.exec("BEGIN EXCLUSIVE");
  const whats = (["loop", "task", "run", "execution"] as const).map((kind) => ({ kind, id }));
  expect(await areTaken(whats)).toEqual([false, false, false, false]);
  for (const what of whats) {
    await expect(take(what)).rejects.toMatchObject({ code: "lease-name" });
    expect(() => takeNow(what)).toThrow("names no lease");
  }
  planted.close();
  expect(readdirSync(dirname(folder)).filter((name) => name.includes("."))).toEqual(["evil.lock"]);
});
