import { RalphError } from "../core/errors.ts";
import { type KeptEvent, upToDate } from "../core/loop/earlier.ts";
import type { Entry } from "../core/loop/events.ts";
import { fold, reduce } from "../core/loop/reduce.ts";
import { type LoopState, START } from "../core/loop/state.ts";
import type { Fence, Journal, LoadedLoop, LoopFilter, LoopRequest, LoopSummary } from "../core/store.ts";
import { type Database, inTransaction } from "./driver.ts";
import type { Statements } from "./statements.ts";
import { columnsOf, type LoopRow, ownColumnsOf, summaryOf } from "./summary.ts";

/** A snapshot every so many entries: a resume folds at most that many. */
const SNAPSHOT_EVERY = 64;

/** How a piece of work gets past another process that writes at the same moment. */
type Patience = <T>(work: () => T) => T;

/** The journal as it is done: each call is one transaction, or one look. */
export function journalOn(
  db: Database,
  sql: Statements,
  look: Patience = (work) => work(),
): Journal & { page(id: string, after: number): Entry[] } {
  const transaction: Patience = (work) => look(() => inTransaction(db, work));
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
    load: (id) => look(() => loadFrom(sql, id)),
    page: (id, after) => look(() => (sql.entriesAfter.all({ loop: id, after }) as unknown as EntryRow[]).map(entryOf)),
    summaries: (filter) => look(() => summaries(sql, filter)),
    find: (idOrPrefix) => look(() => find(sql, idOrPrefix)),
    request: (id, { command, by }, atMs) =>
      transaction(() => void sql.insertRequest.run({ loop: id, at_ms: atMs, command, requested_by: by })),
    forgetRequests: (id, beforeMs) => transaction(() => void sql.clearInbox.run({ loop: id, before_ms: beforeMs })),
    requests: (id) => look(() => sql.requests.all({ loop: id }) as unknown as LoopRequest[]),
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
  // One that an earlier version wrote knows less.
  return { ...START, ...(JSON.parse(json) as LoopState), spec: event.type === "loop.started" ? event.spec : null };
}

function summaries(sql: Statements, filter: LoopFilter = {}): LoopSummary[] {
  return (rowsOf(sql, filter) as unknown as LoopRow[]).map(summaryOf);
}

function rowsOf(sql: Statements, { active = false, task, run, session, limit = -1 }: LoopFilter) {
  const some = { without: active ? "stopped" : "", limit };
  if (task !== undefined) return sql.loopsOfTask.all({ task, ...some });
  if (run !== undefined) return sql.loopsOfRun.all({ run, ...some });
  if (session !== undefined) return sql.loopsOfSession.all({ session, ...some });
  return (active ? sql.activeLoops : sql.allLoops).all({ limit });
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
