import { dirname } from "node:path";
import { RalphError } from "../core/errors.ts";
import { type KeptEvent, upToDate } from "../core/loop/earlier.ts";
import type { Entry } from "../core/loop/events.ts";
import { fold, reduce } from "../core/loop/reduce.ts";
import { type LoopState, START } from "../core/loop/state.ts";
import type { Fence, LoadedLoop, LoopFilter, LoopRequest, LoopStore, LoopSummary } from "../core/store.ts";
import type { TaskStore } from "../core/task/store.ts";
import type { Feed, RunStore } from "../core/workflow/store.ts";
import { makeFolder } from "../io/folder.ts";
import { type Database, inTransaction, openDatabase, patiently, translating } from "./driver.ts";
import { feedOn } from "./feed.ts";
import { migrate, refuseNewer } from "./migrations.ts";
import { runsOn } from "./runs.ts";
import { type Statements, statementsOf } from "./statements.ts";
import { columnsOf, type LoopRow, ownColumnsOf, summaryOf } from "./summary.ts";
import { tasksOn } from "./tasks.ts";

/** A snapshot every so many entries: a resume folds at most that many. */
const SNAPSHOT_EVERY = 64;

/** A short write-ahead log is soon written over instead of growing, and a sync that grows no file is the cheaper one. */
const WAL_PAGES = 128;

/** The journal of loops, with tasks and runs beside it, and what they all write down in one order. */
export interface SqliteStore extends LoopStore {
  tasks: TaskStore;
  runs: RunStore;
  feed: Feed;
}

/** Opens the journal, creating or migrating it. */
export async function openSqliteStore(path: string): Promise<SqliteStore> {
  makeFolder(dirname(path));
  const db = await openDatabase(path);
  try {
    const sql = await patiently(path, () => {
      refuseNewer(db, path);
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${WAL_PAGES}`);
      migrate(db, path);
      return statementsOf(db);
    });
    return { ...storeOn(db, sql, path), tasks: tasksOn(db, path), runs: runsOn(db, path), feed: feedOn(db, path) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function storeOn(db: Database, sql: Statements, path: string): LoopStore {
  const transaction = <T>(work: () => T): Promise<T> => patiently(path, () => inTransaction(db, work));
  // A reader waits too: for a moment, when the last other process closes the journal, nobody can read.
  const read = <T>(work: () => T): Promise<T> => patiently(path, work);

  return {
    create: (id, event, atMs) =>
      transaction(() => {
        const entry: Entry = { loop: id, seq: 1, epoch: 0, atMs, event };
        const state = reduce(START, entry);
        sql.insertLoop.run({ id, ...ownColumnsOf(event.spec), created_at_ms: atMs, ...columnsOf(state) });
        insertEntries(sql, [entry]);
        return { id, seq: 1, epoch: 0, state };
      }),

    adopt: (id, event, atMs, holder) =>
      transaction(() => {
        const loop = loadFrom(sql, id);
        const epoch = loop.epoch + 1;
        const entry: Entry = { loop: id, seq: loop.seq + 1, epoch, atMs: Math.max(atMs, loop.state.atMs), event };
        const state = reduce(loop.state, entry);
        write(sql, loop, [entry], state);
        sql.setHolder.run({ id, holder });
        sql.clearInbox.run({ loop: id, before_ms: atMs });
        return { id, seq: entry.seq, epoch, state };
      }),

    append: (fence, entries, state) => transaction(() => write(sql, fence, entries, state)),

    load: (id) => read(() => loadFrom(sql, id)),
    async *entries(id, afterSeq = 0) {
      for (let after = afterSeq; ; ) {
        const page = await read(() => sql.entriesAfter.all({ loop: id, after }) as unknown as EntryRow[]);
        yield* page.map(entryOf);
        const last = page.at(-1);
        if (!last) return;
        after = last.seq;
      }
    },
    summaries: (filter) => read(() => summaries(sql, filter)),
    find: (idOrPrefix) => read(() => find(sql, idOrPrefix)),
    request: (id, { command, by }, atMs) =>
      transaction(() => void sql.insertRequest.run({ loop: id, at_ms: atMs, command, requested_by: by })),
    forgetRequests: (id, beforeMs) => transaction(() => void sql.clearInbox.run({ loop: id, before_ms: beforeMs })),
    requests: (id) => read(() => sql.requests.all({ loop: id }) as unknown as LoopRequest[]),
    // One for each watcher: what one of them has seen is still news to the others.
    watchNews() {
      let seenVersion = 0;
      return () => {
        const version = translating(path, () => Number(sql.dataVersion.get()?.data_version));
        const news = version !== seenVersion;
        seenVersion = version;
        return news;
      };
    },
    close: () => db.close(),
  };
}

/** The row that lists read, entries, the snapshot when it is due, and wishes that have been taken up, all at once. */
function write(sql: Statements, fence: Fence, entries: readonly Entry[], state: LoopState): void {
  const last = entries.at(-1);
  if (!last) return;
  const expected = { expected_seq: fence.seq, expected_epoch: fence.epoch };
  const row = { id: last.loop, seq: last.seq, epoch: last.epoch, ...columnsOf(state) };
  if (Number(sql.updateLoop.run({ ...row, ...expected }).changes) !== 1) throw fencedError(last.loop);
  insertEntries(sql, entries);
  const first = last.seq - entries.length;
  const stopped = state.stopped !== null;
  if (stopped || Math.floor(first / SNAPSHOT_EVERY) !== Math.floor(last.seq / SNAPSHOT_EVERY)) {
    sql.putSnapshot.run({ loop: last.loop, seq: last.seq, state: JSON.stringify({ ...state, spec: null }) });
  }
  if (stopped || entries.some(({ event }) => event.type === "stop.requested")) {
    sql.clearInbox.run({ loop: last.loop, before_ms: Number.MAX_SAFE_INTEGER });
  }
}

const fencedError = (id: string): RalphError =>
  new RalphError("fenced", `loop ${id} has moved on under another driver`, {
    hint: `see \`ralph status ${id}\``,
    exitCode: 1,
  });

function insertEntries(sql: Statements, entries: readonly Entry[]): void {
  for (const { loop, seq, epoch, atMs, event } of entries) {
    sql.insertEntry.run({ loop, seq, epoch, at_ms: atMs, event: JSON.stringify(event) });
  }
}

interface EntryRow {
  loop: string;
  seq: number;
  epoch: number;
  at_ms: number;
  event: string;
}

const entryOf = ({ loop, seq, epoch, at_ms, event }: EntryRow): Entry => ({
  loop,
  seq,
  epoch,
  atMs: at_ms,
  event: upToDate(JSON.parse(event) as KeptEvent),
});

function loadFrom(sql: Statements, id: string): LoadedLoop {
  const row = sql.fence.get({ id });
  if (!row) throw unknownLoop(id);
  const snapshot = sql.snapshot.get({ loop: id });
  const from = snapshot ? resumedState(sql, id, String(snapshot.state)) : START;
  const tail = sql.tail.all({ loop: id, after: Number(snapshot?.seq ?? 0) }) as unknown as EntryRow[];
  return { id, seq: Number(row.seq), epoch: Number(row.epoch), state: fold(tail.map(entryOf), from) };
}

/** The snapshot leaves out the spec, which never changes and may hold a long prompt: the first entry has it. */
function resumedState(sql: Statements, id: string, json: string): LoopState {
  const first = sql.firstEntry.get({ loop: id }) as unknown as EntryRow;
  const { event } = entryOf(first);
  return { ...(JSON.parse(json) as LoopState), spec: event.type === "loop.started" ? event.spec : null };
}

function summaries(sql: Statements, { active = false, task, run, limit = -1 }: LoopFilter = {}): LoopSummary[] {
  const some = { without: active ? "stopped" : "", limit };
  const rows =
    task !== undefined
      ? sql.loopsOfTask.all({ task, ...some })
      : run !== undefined
        ? sql.loopsOfRun.all({ run, ...some })
        : (active ? sql.activeLoops : sql.allLoops).all({ limit });
  return (rows as unknown as LoopRow[]).map(summaryOf);
}

function find(sql: Statements, wanted: string): LoopSummary {
  const rows = (wanted === "last"
    ? sql.allLoops.all({ limit: 1 })
    : sql.loopsByPrefix.all({ prefix: wanted })) as unknown as LoopRow[];
  const exact = rows.find((row) => row.id === wanted) ?? (rows.length === 1 ? rows[0] : undefined);
  if (exact) return summaryOf(exact);
  if (rows.length === 0) throw unknownLoop(wanted);
  throw new RalphError("loop-ambiguous", `${wanted} could be ${rows.map((row) => row.id).join(", ")}`, {
    hint: "give more of the id",
  });
}

const unknownLoop = (id: string): RalphError =>
  id === "last"
    ? new RalphError("loop-unknown", "there is no loop here yet", {
        hint: 'start one: ralph run --prompt "…" --verify "…"',
      })
    : new RalphError("loop-unknown", `there is no loop ${id} here`, {
        hint: "`ralph list` shows the loops of this repository",
      });
