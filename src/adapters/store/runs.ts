import { RUN_STATUSES, type RunStatus } from "../../core/workflow/state.ts";
import type { RunFilter, RunStore, RunSummary } from "../../core/workflow/store.ts";
import { type Database, inTransaction, patiently } from "./driver.ts";
import { pageOfMessages, writeMessage } from "./messages.ts";
import { ambiguousRun, unknownRun } from "./run-errors.ts";
import { loadRun, pageOfRun, writeEvents, writeRun } from "./run-journal.ts";
import { type RunRow, summaryOfRun } from "./run-rows.ts";
import { listingRuns, SQL } from "./run-statements.ts";
import { type Prepare, preparing } from "./task-statements.ts";

/** Runs of workflows and the messages about them in the database of the loops, on its connection. */
export function runsOn(db: Database, path: string): RunStore {
  const sql = preparing(db);
  const transaction = <T>(work: () => T): Promise<T> => patiently(path, () => inTransaction(db, work));
  const read = <T>(work: () => T): Promise<T> => patiently(path, work);
  return {
    create: (id, event, atMs) => transaction(() => writeRun(sql, id, event, atMs)),
    load: (id) => read(() => loadRun(sql, id)),
    append: (run, events, atMs) => transaction(() => writeEvents(sql, run, events, atMs)),
    async *entries(id, afterSeq = 0) {
      for (let after = afterSeq; ; ) {
        const page = await read(() => pageOfRun(sql, id, after));
        yield* page;
        const last = page.at(-1);
        if (!last) return;
        after = last.seq;
      }
    },
    list: (filter) => read(() => list(sql, filter)),
    nextInLine: (limit) => read(() => summariesOf(sql(SQL.nextInLine).all({ limit }))),
    counts: () => read(() => counts(sql)),
    find: (idOrPrefix) => read(() => find(sql, idOrPrefix)),
    hear: (message, run, atMs) =>
      transaction(() => {
        const heard = writeMessage(sql, { ...message, run: run?.id ?? message.run }, atMs);
        if (heard && run) writeEvents(sql, writeRun(sql, run.id, run.event, atMs), run.further ?? [], atMs);
        return heard;
      }),
    messages: (conversation, page) => read(() => pageOfMessages(sql, conversation, page)),
  };
}

const summariesOf = (rows: unknown): RunSummary[] => (rows as RunRow[]).map(summaryOfRun);

/** Each status by itself, as its index has them in their order, however many others there are. */
function list(sql: Prepare, filter: RunFilter = {}): RunSummary[] {
  const { conversation, talking = null, oldestFirst = false, limit = -1 } = filter;
  const statuses = filter.status ?? (conversation ? RUN_STATUSES : [null]);
  const rows = [...new Set(statuses)].flatMap((status) => {
    const which = { status: status !== null, conversation: conversation !== undefined, talking, oldestFirst };
    const values = {
      ...(status === null ? {} : { status }),
      ...(conversation ? { platform: conversation.platform, conversation: conversation.id } : {}),
      limit,
    };
    return sql(listingRuns(which)).all(values) as unknown as RunRow[];
  });
  rows.sort((a, b) => (oldestFirst ? a.age - b.age : b.age - a.age));
  return summariesOf(limit < 0 ? rows : rows.slice(0, limit));
}

function counts(sql: Prepare): Partial<Record<RunStatus, number>> {
  const rows = sql(SQL.counts).all();
  return Object.fromEntries(rows.map((row) => [String(row.status), Number(row.number)]));
}

function find(sql: Prepare, wanted: string): RunSummary {
  const rows = wanted === "last" ? list(sql, { limit: 1 }) : summariesOf(sql(SQL.byPrefix).all({ prefix: wanted }));
  const exact = rows.find((row) => row.id === wanted) ?? (rows.length === 1 ? rows[0] : undefined);
  if (exact) return exact;
  if (rows.length === 0) throw unknownRun(wanted);
  throw ambiguousRun(
    wanted,
    rows.map(({ id }) => id),
  );
}
