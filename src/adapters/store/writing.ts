import { RalphError } from "../../core/errors.ts";
import type { Entry } from "../../core/loop/events.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { Fence, Seal } from "../../core/store.ts";
import { type Cell, rowFrom, rowOf, rowText, type StoredRow } from "./cells.ts";
import { link, NO_HASH, textDigest } from "./chain.ts";
import { type EntryRow, entryRowOf } from "./entry-rows.ts";
import type { Statements } from "./statements.ts";
import { columnsOf } from "./summary.ts";
import { snapshotOf, walkJournal } from "./walk.ts";

/** A snapshot every so many entries: who only shows a loop folds at most that many. */
const SNAPSHOT_EVERY = 64;

/** The first entry of a loop, and its row. */
export function begin(sql: Statements, own: Record<string, Cell>, entry: Entry): Seal {
  const { hashes } = insertEntries(sql, NO_HASH, [entry]);
  const head = hashes.at(-1) ?? NO_HASH;
  const row = { ...own, seq: entry.seq, epoch: entry.epoch, head };
  sql.insertLoop.run(row);
  return { head, prev: NO_HASH, spec: head, row: rowText(row), snapshot: textDigest(null) };
}

/** Tells whether anybody but this connection has written since one of its loops was left as it was. */
interface Calm {
  /** To be asked and told inside of a transaction. */
  isUnchanged(loop: string, head: string): boolean;
  left(loop: string, head: string): void;
}

/** SQLite counts the transactions of other connections: where none was, there is nothing to compare. */
export function calmOn(sql: Statements): Calm {
  const known = new Map<string, { head: string; version: number }>();
  const version = () => Number(sql.dataVersion.get()?.data_version);
  return {
    isUnchanged(loop, head) {
      const left = known.get(loop);
      return left?.head === head && left.version === version();
    },
    left: (loop, head) => void known.set(loop, { head, version: version() }),
  };
}

/** Writes entries where the journal is what their writer left; throws `fenced` or `journal-foreign` where it is not. */
export function append(sql: Statements, calm: Calm, { fence, entries, state }: Omit<Put, "row">): Seal {
  const last = entries.at(-1);
  if (!last) return fence.seal;
  const { loop } = last;
  const row = calm.isUnchanged(loop, fence.seal.head) ? rowFrom(fence.seal.row) : comparedRow(sql, loop, fence);
  const seal = put(sql, { fence, row, entries, state });
  if (state.stopped) insistAllIsOurs(sql, loop, seal);
  calm.left(loop, seal.head);
  return seal;
}

function comparedRow(sql: Statements, loop: string, fence: Fence): StoredRow {
  const row = rowOf(sql, loop);
  if (!row || differences(sql, row, fence).length > 0) throw refusal(sql, loop, fence);
  return row;
}

interface Put {
  fence: Fence;
  /** The row before. */
  row: StoredRow;
  entries: readonly Entry[];
  state: LoopState;
}

/** The row that lists read, entries, the snapshot when it is due, and requests that have been taken up, all at once. */
export function put(sql: Statements, { fence, row, entries, state }: Put): Seal {
  const last = entries.at(-1);
  if (!last) return fence.seal;
  const { hashes, prev } = insertEntries(sql, fence.seal.head, entries);
  const head = hashes.at(-1) ?? fence.seal.head;
  const changed = {
    id: last.loop,
    seq: last.seq,
    epoch: last.epoch,
    head,
    holder: row.holder ?? "",
    ...columnsOf(state),
  };
  const expected = { expected_seq: row.seq ?? 0, expected_epoch: row.epoch ?? 0, expected_head: row.head ?? null };
  if (Number(sql.updateLoop.run({ ...changed, ...expected }).changes) !== 1) throw fencedError(last.loop);
  const stopped = state.stopped !== null;
  if (stopped || entries.some(({ event }) => event.type === "stop.requested")) {
    sql.clearInbox.run({ loop: last.loop, before_ms: Number.MAX_SAFE_INTEGER });
  }
  const kept = { head, prev, spec: fence.seal.spec, row: rowText({ ...row, ...changed }) };
  const before = last.seq - entries.length;
  const isDue = stopped || Math.floor(before / SNAPSHOT_EVERY) !== Math.floor(last.seq / SNAPSHOT_EVERY);
  if (!isDue) return { ...kept, snapshot: fence.seal.snapshot };
  const text = JSON.stringify({ ...state, spec: null });
  sql.putSnapshot.run({ loop: last.loop, seq: last.seq, state: text });
  return { ...kept, snapshot: textDigest(text) };
}

function insertEntries(sql: Statements, before: string, entries: readonly Entry[]): { hashes: string[]; prev: string } {
  const hashes: string[] = [];
  let [prev, head] = [before, before];
  for (const { loop, seq, epoch, atMs, event } of entries) {
    const row = { loop, seq, epoch, at_ms: atMs, event: JSON.stringify(event) };
    [prev, head] = [head, link(head, row)];
    hashes.push(head);
    sql.insertEntry.run({ ...row, hash: head });
  }
  return { hashes, prev };
}

/** What of a loop is not as its writer left it, in words, each with the entry that it is about. */
export function differences(sql: Statements, row: StoredRow, fence: Fence): Difference[] {
  const { seq, seal } = fence;
  const loop = String(row.id);
  const found = rowDifferences(row, fence);
  const [last, beyond] = sql.lastEntries.all({ loop, from: seq }).map(entryRowOf);
  if (last?.seq !== seq) found.push({ entry: seq, what: `entry ${seq} was deleted` });
  else if (!isLinked(seal.prev, last, seal.head)) found.push({ entry: seq, what: `entry ${seq} was changed` });
  else if (last.hash !== rowFrom(seal.row).head)
    found.push({ entry: seq, what: `the hash of entry ${seq} was changed` });
  if (last?.seq === seq ? beyond : last) {
    found.push({ entry: seq + 1, what: `an entry was added after entry ${seq}` });
  }
  if (seq > 1) {
    const first = sql.firstEntry.get({ loop });
    if (!first || !isLinked(NO_HASH, entryRowOf(first), seal.spec)) found.push({ entry: 1, what: SPEC_CHANGED });
  }
  if (textDigest(snapshotOf(sql, loop)?.text ?? null) !== seal.snapshot) {
    found.push({ entry: null, what: "the snapshot was changed" });
  }
  return found;
}

function rowDifferences(row: StoredRow, { seq, epoch, seal }: Fence): Difference[] {
  if (row.seq === seq && row.epoch === epoch && rowText(row) === seal.row) return [];
  const before = rowFrom(seal.row);
  const names = Object.keys(before).filter((name) => row[name] !== before[name]);
  return [{ entry: null, what: `the loop's row was changed (${names.slice(0, MOST_COLUMNS).join(", ")})` }];
}

const MOST_COLUMNS = 5;
const SPEC_CHANGED = "entry 1, which says what the loop is to do, was changed";

const isLinked = (prev: string, row: EntryRow, head: string): boolean =>
  typeof row.event === "string" && link(prev, { ...row, event: row.event }) === head;

export interface Difference {
  /** Null: it is about what is kept beside the entries. */
  entry: number | null;
  what: string;
}

/** A loop that another driver has gone on with, as every driver would, is fenced; anything else is nobody's work. */
function refusal(sql: Statements, loop: string, fence: Fence): RalphError {
  const row = rowOf(sql, loop);
  const walked = row && walkJournal(sql, row, fence.seq);
  const isGoneOnWith = walked && !walked.damage && walked.headAt === fence.seal.head;
  return isGoneOnWith ? fencedError(loop) : foreignError(loop);
}

/** At its end a loop is read once more from its first entry on: nothing of it may have been changed behind its driver. */
function insistAllIsOurs(sql: Statements, loop: string, seal: Seal): void {
  const row = rowOf(sql, loop);
  const walked = row && walkJournal(sql, row);
  const isOurs = walked && !walked.damage && walked.head === seal.head && rowText(row) === seal.row;
  if (!isOurs) throw foreignError(loop);
}

const fencedError = (id: string): RalphError =>
  new RalphError("fenced", `loop ${id} has moved on under another driver`, {
    hint: `see \`ralph status ${id}\``,
    exitCode: 1,
  });

const foreignError = (id: string): RalphError =>
  new RalphError("journal-foreign", `another process wrote into the journal of loop ${id}`, {
    hint: `see \`ralph why ${id}\``,
    exitCode: 1,
  });
