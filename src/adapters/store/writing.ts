import { EXIT, RalphError } from "../../core/errors.ts";
import type { Fence, Loaded, Seal } from "../../core/journals.ts";
import { epochOf, type JournalTypes, subjectName } from "../../core/subject.ts";
import { rowFrom, rowText, type StoredRow } from "./cells.ts";
import { link, NO_HASH, textDigest } from "./chain.ts";
import { type EntryRow, entryRowOf } from "./entry-rows.ts";
import { JOURNAL, type Prepare } from "./statements.ts";
import type { Table } from "./table.ts";
import { snapshotOf, walk } from "./walk.ts";

/** The number of entries between snapshots: showing a subject folds at most that many. */
const SNAPSHOT_EVERY = 64;

const nothingOf = (id: string): Fence => ({
  id,
  seq: 0,
  epoch: 0,
  seal: { head: NO_HASH, prev: NO_HASH, first: NO_HASH, row: "[]", snapshot: textDigest(null), isChained: true },
});

/** Writes the first entries of a subject whose row exists or is created by `project`. */
export function begin<T extends JournalTypes>(
  sql: Prepare,
  table: Table<T>,
  { id, events, atMs }: { id: string; events: readonly T["event"][]; atMs: number },
): Loaded<T["state"]> {
  const { kind } = table;
  const entries: T["entry"][] = [];
  let [state, epoch] = [kind.start, 0];
  for (const [i, event] of events.entries()) {
    epoch = epochOf(kind.adoption, event, epoch);
    const entry = kind.entryOf(id, { seq: i + 1, epoch, atMs, event });
    const after = kind.reduce(state, entry);
    const refused = kind.refusal(id, { entry, before: state, after });
    if (refused) throw refused;
    state = after;
    entries.push(entry);
  }
  const seal = put(sql, table, { fence: nothingOf(id), row: {}, entries, state });
  return { id, seq: entries.length, epoch, atMs, state, seal };
}

/** Knows whether another connection has written since a subject was last written here. */
export interface Calm {
  /** Both must be called inside a transaction. */
  isUnchanged(subject: string, head: string): boolean;
  left(subject: string, head: string): void;
}

/** SQLite counts the transactions of other connections: without any, there is nothing to compare. */
export function calmOn(sql: Prepare): Calm {
  const known = new Map<string, { head: string; version: number }>();
  const version = () => Number(sql(JOURNAL.dataVersion).get()?.data_version);
  return {
    isUnchanged(subject, head) {
      const left = known.get(subject);
      return left?.head === head && left.version === version();
    },
    left: (subject, head) => void known.set(subject, { head, version: version() }),
  };
}

export interface Put<T extends JournalTypes> {
  fence: Fence;
  row: StoredRow;
  entries: readonly T["entry"][];
  state: T["state"];
  /** Omitted if unchanged. */
  holder?: string;
}

/** Appends to a journal that is as its writer left it. Otherwise throws `fenced` or `journal-foreign`. */
export function append<T extends JournalTypes>(
  sql: Prepare,
  table: Table<T>,
  { calm, ...writing }: Omit<Put<T>, "row"> & { calm: Calm },
): Seal {
  const { fence, state } = writing;
  if (writing.entries.length === 0) return fence.seal;
  const name = subjectName({ kind: table.kind.name, id: fence.id });
  const row = calm.isUnchanged(name, fence.seal.head)
    ? rowFrom(table.sealed, fence.seal.row)
    : comparedRow(sql, table, fence);
  const seal = put(sql, table, { ...writing, row });
  if (table.kind.isOver(state)) insistAllIsOurs(sql, table, fence.id, seal);
  calm.left(name, seal.head);
  return seal;
}

function comparedRow<T extends JournalTypes>(sql: Prepare, table: Table<T>, fence: Fence): StoredRow {
  const row = table.row(sql, fence.id);
  if (!row && !table.putBack) throw table.unknown(sql, fence.id);
  if (!row || differences(sql, table, row, fence).length > 0) throw refusal(sql, table, fence);
  return row;
}

/** Writes the row, the entries and a snapshot that is due, and clears answered requests. */
export function put<T extends JournalTypes>(
  sql: Prepare,
  table: Table<T>,
  { fence, row, entries, state, holder }: Put<T>,
): Seal {
  const last = entries.at(-1);
  if (!last) return fence.seal;
  const { kind, sealed } = table;
  const { id } = fence;
  const subject = subjectName({ kind: kind.name, id });
  const { head, prev, first } = insertEntries(sql, subject, fence.seal, entries);
  const { seq, epoch } = last;
  const after = table.project(sql, { id, row, seq, epoch, head, holder: holder ?? null, entries, state });
  if (!after) throw table.putBack ? fencedError(table, id) : table.unknown(sql, id);
  const isOver = kind.isOver(state);
  if (isOver || entries.some((entry) => kind.answers(entry)))
    sql(JOURNAL.clearInbox).run({ subject, before_ms: Number.MAX_SAFE_INTEGER });
  const kept = { head, prev, first, isChained: true, row: rowText(sealed, after) };
  const before = seq - entries.length;
  const isDue = isOver || Math.floor(before / SNAPSHOT_EVERY) !== Math.floor(seq / SNAPSHOT_EVERY);
  if (!isDue) return { ...kept, snapshot: fence.seal.snapshot };
  const text = JSON.stringify(kind.withoutOpening(state));
  sql(JOURNAL.putSnapshot).run({ subject, seq, state: text });
  return { ...kept, snapshot: textDigest(text) };
}

function insertEntries(
  sql: Prepare,
  subject: string,
  before: Seal,
  entries: readonly JournalTypes["entry"][],
): Pick<Seal, "head" | "prev" | "first"> {
  let { head, prev, first } = before;
  for (const { seq, epoch, atMs, event } of entries) {
    const row = { subject, seq, epoch, at_ms: atMs, event: JSON.stringify(event) };
    [prev, head] = [head, link(head, row)];
    if (seq === 1) first = head;
    sql(JOURNAL.insertEntry).run({ ...row, hash: head });
  }
  return { head, prev, first };
}

/** What has changed in a subject since its writer left it, in words, each with the entry concerned. */
export function differences<T extends JournalTypes>(
  sql: Prepare,
  table: Table<T>,
  row: StoredRow,
  fence: Fence,
): Difference[] {
  const { id, seq, seal } = fence;
  const subject = subjectName({ kind: table.kind.name, id });
  const found = rowDifferences(table, row, fence);
  const [last, beyond] = sql(JOURNAL.lastEntries, "big").all({ subject, from: seq }).map(entryRowOf);
  if (seq > 0) found.push(...lastDifferences(last, fence));
  if (seq > 0 && last?.seq === seq ? beyond : last) {
    found.push({ entry: seq + 1, what: `an entry was added after entry ${seq}` });
  }
  if (seq > 1) {
    const first = sql(JOURNAL.firstEntry, "big").get({ subject });
    if (!first || !isLinked(NO_HASH, entryRowOf(first), seal.first)) {
      found.push({ entry: 1, what: `entry 1, which defines the ${table.kind.name}, was changed` });
    }
  }
  if (textDigest(snapshotOf(sql, subject)?.text ?? null) !== seal.snapshot) {
    found.push({ entry: null, what: "the snapshot was changed" });
  }
  return found;
}

function lastDifferences(last: EntryRow | undefined, { seq, epoch, seal }: Fence): Difference[] {
  if (last?.seq !== seq) return [{ entry: seq, what: `entry ${seq} was deleted` }];
  if (last.epoch !== epoch || !isLinked(seal.prev, last, seal.head))
    return [{ entry: seq, what: `entry ${seq} was changed` }];
  return last.hash === (seal.isChained ? seal.head : null)
    ? []
    : [{ entry: seq, what: `the hash of entry ${seq} was changed` }];
}

function rowDifferences<T extends JournalTypes>(
  { kind, sealed }: Table<T>,
  row: StoredRow,
  { seal }: Fence,
): Difference[] {
  if (rowText(sealed, row) === seal.row) return [];
  const before = rowFrom(sealed, seal.row);
  const names = sealed.filter((name) => row[name] !== before[name]);
  return [{ entry: null, what: `the ${kind.name}'s row was changed (${names.slice(0, MOST_COLUMNS).join(", ")})` }];
}

const MOST_COLUMNS = 5;

const isLinked = (prev: string, row: EntryRow, head: string): boolean =>
  typeof row.event === "string" && link(prev, { ...row, event: row.event }) === head;

export interface Difference {
  /** Null if it concerns the row or the snapshot. */
  entry: number | null;
  what: string;
}

/** `fenced` if another driver has properly continued the subject; otherwise `journal-foreign`. */
function refusal<T extends JournalTypes>(sql: Prepare, table: Table<T>, fence: Fence): RalphError {
  const { id, seq, seal } = fence;
  const row = table.row(sql, id);
  const walked = row && walk(sql, table, { id, row, at: seq });
  const isContinued = walked && !walked.damage && walked.headAt === seal.head;
  return isContinued ? fencedError(table, id) : foreignError(table, id);
}

/** Verifies a finished subject again from its first entry: nothing may have changed behind its driver. */
function insistAllIsOurs<T extends JournalTypes>(sql: Prepare, table: Table<T>, id: string, seal: Seal): void {
  const row = table.row(sql, id);
  const walked = row && walk(sql, table, { id, row });
  const isOurs = walked && !walked.damage && walked.head === seal.head && rowText(table.sealed, row) === seal.row;
  if (!isOurs) throw foreignError(table, id);
}

const fencedError = <T extends JournalTypes>({ kind, see }: Table<T>, id: string): RalphError =>
  new RalphError("fenced", `${kind.name} ${id} was continued by another driver`, {
    hint: `see \`${see(id)}\``,
    exitCode: EXIT.stopped,
  });

const foreignError = <T extends JournalTypes>({ kind, why }: Table<T>, id: string): RalphError =>
  new RalphError("journal-foreign", `another process wrote into the journal of ${kind.name} ${id}`, {
    hint: `see \`${why(id)}\``,
    exitCode: EXIT.stopped,
  });
