import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import { someSpec } from "../../../test/support/spec.ts";
import { turnBegan, turnEnded } from "../../../test/support/turns.ts";
import type { LoopEvent } from "../../core/loop/events.ts";
import { loopKind } from "../../core/loop/kind.ts";
import { openLedger } from "../../engine/ledger.ts";
import { link, NO_HASH } from "./chain.ts";
import { type Database, inTransaction, openDatabase } from "./driver.ts";
import { journalOn } from "./journal.ts";
import { LOOPS } from "./loops.ts";
import { connectionOn, openSqliteStore } from "./sqlite-store.ts";

interface Stored {
  subject: string;
  seq: number;
  epoch: number;
  at_ms: number;
  event: string;
  hash: string | null;
}

/** A loop with two drivers, snapshots in between, and characters of every length. */
async function written(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-chain-"));
  const path = join(folder, "ralph.db");
  const store = await openSqliteStore(path);
  await store.create("one", { type: "loop.started", spec: someSpec({ title: "é✓🙂" }), fingerprints: {} }, 1_000);
  for (let driver = 1; driver <= 2; driver++) {
    const loop = await store.adopt("one", { type: "loop.adopted", driver: "engine" }, 1_000 * driver, "a test");
    const ledger = openLedger(loopKind, loop, { now: () => 1_000 * driver + 1, store });
    const turns: LoopEvent[] = Array.from({ length: 18 }, (_, i) => 18 * (driver - 1) + i + 1).flatMap((n) => [
      turnBegan(n),
      turnEnded(n, { blocked: "“no”" }),
    ]);
    for (const [i, event] of [...turns, stopped(driver)].entries()) {
      ledger.note(event);
      if (i % 3 === 0) await ledger.flush();
    }
    await ledger.flush();
  }
  store.close();
  const db = openDatabase(path);
  onTestFinished(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return db;
}

const stopped = (driver: number): LoopEvent =>
  driver === 1
    ? { type: "loop.stopped", reason: "interrupted", detail: "" }
    : { type: "loop.stopped", reason: "cancelled", detail: "by a test" };

const entriesIn = (db: Database): Stored[] =>
  db.prepare("SELECT * FROM entries ORDER BY seq").all() as unknown as Stored[];

const put = (db: Database, { subject, seq, epoch, at_ms, event, hash }: Stored): void =>
  void db
    .prepare("INSERT OR REPLACE INTO entries (subject, seq, epoch, at_ms, event, hash) VALUES (?, ?, ?, ?, ?, ?)")
    .run(subject, seq, epoch, at_ms, event, hash);

test("every entry's hash follows from the one before", async () => {
  const db = await written();
  let prev = NO_HASH;
  for (const entry of entriesIn(db)) {
    prev = link(prev, entry);
    expect(entry.hash).toBe(prev);
  }
  const check = journalOn(connectionOn(db), LOOPS).check("one");
  expect(check).toEqual({ entries: 77, head: prev, chainedFrom: 1, damage: null });
});

test("any change, deletion, addition or swap is found", async () => {
  const db = await written();
  const journal = journalOn(connectionOn(db), LOOPS);
  const all = entriesIn(db);
  const place = fc.nat({ max: all.length - 1 });
  const at = (i: number): Stored => all[i] as Stored;
  const change = fc.oneof(
    fc.tuple(fc.constant("byte" as const), place, fc.nat(), fc.integer({ min: 1, max: 255 })),
    fc.tuple(fc.constant("delete" as const), place, fc.constant(0), fc.constant(0)),
    fc.tuple(fc.constant("insert" as const), place, fc.constant(0), fc.constant(0)),
    fc.tuple(fc.constant("swap" as const), place, place, fc.constant(0)),
    fc.tuple(fc.constant("number" as const), place, fc.nat({ max: 1 }), fc.integer({ min: 1, max: 5 })),
  );
  const kinds: Record<string, (entry: Stored, j: number, by: number) => boolean> = {
    byte(entry, j, by) {
      const bytes = Buffer.from(entry.event);
      const where = j % bytes.length;
      bytes[where] = (bytes[where] ?? 0) ^ by;
      db.prepare("UPDATE entries SET event = CAST(? AS TEXT) WHERE seq = ?").run(bytes, entry.seq);
      return true;
    },
    delete: ({ seq }) => Number(db.prepare("DELETE FROM entries WHERE seq = ?").run(seq).changes) === 1,
    insert(entry) {
      put(db, { ...entry, seq: all.length + 1 });
      return true;
    },
    swap(entry, j) {
      const other = at(j);
      put(db, { ...entry, seq: other.seq });
      put(db, { ...other, seq: entry.seq });
      return other.event !== entry.event;
    },
    number(entry, j, by) {
      put(db, j === 0 ? { ...entry, epoch: entry.epoch + by } : { ...entry, at_ms: entry.at_ms + by });
      return true;
    },
  };
  const apply = ([kind, i, j, by]: [string, number, number, number]): boolean => kinds[kind]?.(at(i), j, by) ?? false;
  fc.assert(
    fc.property(change, (one) => {
      const done = new Error("not to be kept");
      let found = false;
      try {
        inTransaction(db, () => {
          fc.pre(apply(one));
          // Its own transaction would be nested here.
          found =
            journalOn(
              { ...connectionOn(db), db: { ...db, exec: () => undefined } as unknown as Database },
              LOOPS,
            ).check("one").damage !== null;
          throw done;
        });
      } catch (error) {
        if (error !== done) throw error;
      }
      return found;
    }),
    { numRuns: runs(400) },
  );
  expect(journal.check("one").damage).toBeNull();
});
