import type {
  Fence,
  ForeignEntry,
  JournalCheck,
  Journals,
  Loaded,
  Seal,
  SubjectSeen,
  Written,
} from "../../core/journals.ts";
import { epochOf, type Foreign, type JournalTypes, subjectName } from "../../core/subject.ts";
import { rowFrom, type StoredRow, textCell } from "./cells.ts";
import { type Database, inTransaction } from "./driver.ts";
import { damagedError, entryOf, entryRowOf, foldRow } from "./entry-rows.ts";
import { disown, foreignEntries } from "./foreign.ts";
import { JOURNAL, type Prepare } from "./statements.ts";
import type { Table } from "./table.ts";
import { checkOf, loadedFrom, snapshotOf, walk } from "./walk.ts";
import { append, type Calm, put } from "./writing.ts";

const PAGE = 500;

export interface Connection {
  db: Database;
  sql: Prepare;
  calm: Calm;
}

/** The journals of one kind, synchronously: each call is one transaction. */
export interface JournalNow<T extends JournalTypes> {
  adopt(id: string, event: T["event"], atMs: number, holder: string): Loaded<T["state"]>;
  append(fence: Fence, entries: readonly T["entry"][], state: T["state"]): Seal;
  disown(fence: Fence, close: (found: Foreign) => Written<T>): Written<T> & { seal: Seal };
  load(id: string): Loaded<T["state"]>;
  glance(id: string): SubjectSeen<T["state"]>;
  check(id: string): JournalCheck;
  foreignEntries(id: string): ForeignEntry[];
  /** The readable entries after one. Throws the reason if the first of them cannot be read. */
  page(id: string, after: number): T["entry"][];
}

export function journalOn<T extends JournalTypes>({ db, sql, calm }: Connection, table: Table<T>): JournalNow<T> {
  const { kind } = table;
  const nameOf = (id: string) => subjectName({ kind: kind.name, id });
  const transaction = <R>(work: () => R): R => inTransaction(db, work);
  // Several reads must see the same state.
  const reading = <R>(work: () => R): R => inTransaction(db, work, "DEFERRED");
  return {
    adopt: (id, event, atMs, holder) =>
      transaction(() => {
        const before = loadFrom(sql, table, id);
        const at = { seq: before.seq + 1, atMs: Math.max(atMs, before.atMs), event };
        const entry = kind.entryOf(id, { ...at, epoch: epochOf(kind.adoption, event, before.epoch) });
        const state = kind.reduce(before.state, entry);
        const refused = kind.refusal(id, { entry, before: before.state, after: state });
        if (refused) throw refused;
        const row = rowFrom(table.sealed, before.seal.row);
        const seal = put(sql, table, { fence: before, row, entries: [entry], state, holder: textCell(holder) });
        sql(JOURNAL.clearInbox).run({ subject: nameOf(id), before_ms: atMs });
        calm.left(nameOf(id), seal.head);
        return { id, seq: entry.seq, epoch: entry.epoch, atMs: entry.atMs, seal, state };
      }),
    append: (fence, entries, state) => transaction(() => append(sql, table, { calm, fence, entries, state })),
    disown: (fence, close) => transaction(() => disown(sql, table, fence, close)),
    load: (id) => reading(() => loadFrom(sql, table, id)),
    glance: (id) => reading(() => glanceAt(sql, table, id)),
    check: (id) => reading(() => checkOf(walk(sql, table, { id, row: knownRow(sql, table, id) }))),
    foreignEntries: (id) => foreignEntries(sql, nameOf(id)),
    page: (id, after) => pageOf(sql, table, id, after),
  };
}

/** How a store waits for other processes that write at the same time. */
export interface Patience {
  patient<T>(work: () => T): Promise<T>;
  beforeWriting(): void;
}

/** The same for callers that can wait. */
export function patientJournal<T extends JournalTypes>(
  journal: JournalNow<T>,
  { patient, beforeWriting }: Patience,
): Journals<T> {
  return {
    adopt: (...asked) => patient(() => journal.adopt(...asked)),
    append: (...asked) =>
      patient(() => {
        beforeWriting();
        return journal.append(...asked);
      }),
    disown: (...asked) => patient(() => journal.disown(...asked)),
    load: (id) => patient(() => journal.load(id)),
    glance: (id) => patient(() => journal.glance(id)),
    check: (id) => patient(() => journal.check(id)),
    foreignEntries: (id) => patient(() => journal.foreignEntries(id)),
    async *entries(id, afterSeq = 0) {
      for (let after = afterSeq; ; ) {
        const page = await patient(() => journal.page(id, after));
        yield* page;
        const last = page.at(-1);
        if (!last) return;
        after = last.seq;
      }
    },
  };
}

function pageOf<T extends JournalTypes>(sql: Prepare, table: Table<T>, id: string, after: number): T["entry"][] {
  const subject = subjectName({ kind: table.kind.name, id });
  const entries: T["entry"][] = [];
  for (const row of sql(JOURNAL.page, "big").all({ subject, after, limit: PAGE })) {
    try {
      entries.push(entryOf(table, id, entryRowOf(row)));
    } catch (error) {
      if (entries.length === 0) throw error;
      break;
    }
  }
  return table.relabel ? entries.map((entry, i) => table.relabel?.(sql, entry, entries.slice(0, i)) ?? entry) : entries;
}

function knownRow<T extends JournalTypes>(sql: Prepare, table: Table<T>, id: string): StoredRow {
  const row = table.row(sql, id);
  if (!row) throw table.unknown(sql, id);
  return row;
}

/** Verifies the journal. Must be called inside a transaction. */
export function loadFrom<T extends JournalTypes>(sql: Prepare, table: Table<T>, id: string): Loaded<T["state"]> {
  const row = knownRow(sql, table, id);
  const walked = walk(sql, table, { id, row });
  if (walked.damage) throw damagedError(table, id, walked.damage);
  return loadedFrom(table, id, walked, row);
}

/** Starts from the snapshot, so that showing a subject does not read its full history. */
function glanceAt<T extends JournalTypes>(sql: Prepare, table: Table<T>, id: string): SubjectSeen<T["state"]> {
  knownRow(sql, table, id);
  const subject = subjectName({ kind: table.kind.name, id });
  const kept = snapshotState(sql, table, id);
  let seen = { id, seq: kept?.seq ?? 0, epoch: 0, state: kept?.state ?? table.kind.start };
  for (const stored of sql(JOURNAL.page, "big").all({ subject, after: seen.seq - 1, limit: -1 })) {
    const row = entryRowOf(stored);
    const [seq, epoch] = [Number(row.seq), Number(row.epoch)];
    const state = seq > seen.seq ? foldRow(table, seen.state, { id, row }) : seen.state;
    seen = { id, seq, epoch, state };
  }
  return seen;
}

/** Null if it cannot be read; the entries are used instead. */
function snapshotState<T extends JournalTypes>(
  sql: Prepare,
  table: Table<T>,
  id: string,
): { seq: number; state: T["state"] } | null {
  const { kind } = table;
  const subject = subjectName({ kind: kind.name, id });
  const kept = snapshotOf(sql, subject);
  const first = kept && sql(JOURNAL.firstEntry, "big").get({ subject });
  if (!first) return null;
  const entry = entryOf(table, id, entryRowOf(first));
  try {
    const state = { ...(kind.start as object), ...JSON.parse(kept.text) };
    return { seq: Number(kept.seq), state: kind.withOpening(state, entry) };
  } catch {
    return null;
  }
}
