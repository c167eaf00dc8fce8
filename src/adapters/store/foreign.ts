import { shorten } from "../../core/excerpt.ts";
import type { Fence, ForeignEntry, Seal, Written } from "../../core/journals.ts";
import { type Foreign, type JournalTypes, subjectName } from "../../core/subject.ts";
import { cellOf, rowFrom } from "./cells.ts";
import { textDigest } from "./chain.ts";
import { JOURNAL, type Prepare } from "./statements.ts";
import type { Table } from "./table.ts";
import { walk } from "./walk.ts";
import { type Difference, differences, put } from "./writing.ts";

const FOUND_CHARS = 1_000;
/** The maximum length of a foreign entry when shown; it is stored in full. */
const TEXT_CHARS = 500;
const MOST_SHOWN = 20;

/**
 * Takes a journal back from another writer: moves foreign entries aside, restores the row, and appends the entries that
 * `close` returns to the driver's last one. Entries changed in place stay; the hash chain shows where.
 */
export function disown<T extends JournalTypes>(
  sql: Prepare,
  table: Table<T>,
  fence: Fence,
  close: (found: Foreign) => Written<T>,
): Written<T> & { seal: Seal } {
  const { id, seq } = fence;
  const row = rowFrom(table.sealed, fence.seal.row);
  const subject = subjectName({ kind: table.kind.name, id });
  const found = foundIn(sql, table, fence);
  sql(JOURNAL.keepAside).run({ subject, seq, now: Date.now() });
  forgetEntries(sql, table, id, seq);
  table.putBack?.(sql, row);
  const written = close(found);
  const own = { ...fence, seal: { ...fence.seal, snapshot: textDigest(null) } };
  return { ...written, seal: put(sql, table, { fence: own, row, ...written }) };
}

/** Removes the entries of a subject after `seq`, also from the feed, and the snapshot, which may include them. */
export function forgetEntries<T extends JournalTypes>(
  sql: Prepare,
  { kind }: Pick<Table<T>, "kind">,
  id: string,
  seq: number,
): void {
  const subject = subjectName({ kind: kind.name, id });
  sql(JOURNAL.dropEntries).run({ subject, seq });
  sql(kind.name === "task" ? JOURNAL.dropTaskFromFeed : JOURNAL.dropFromFeed).run({ subject, seq });
  sql(JOURNAL.dropSnapshot).run({ subject });
}

function foundIn<T extends JournalTypes>(sql: Prepare, table: Table<T>, fence: Fence): Foreign {
  const { id, seq, seal } = fence;
  const row = table.row(sql, id);
  const own = rowFrom(table.sealed, seal.row);
  const found: Difference[] = row
    ? differences(sql, table, row, fence)
    : [{ entry: null, what: `the ${table.kind.name}'s row was deleted` }, ...differences(sql, table, own, fence)];
  const { damage } = walk(sql, table, { id, row: own });
  // The differences already cover the row, the snapshot and later entries.
  const entry = damage?.entry ?? null;
  if (damage && entry !== null && entry <= seq && !found.some((one) => one.entry === entry)) {
    found.push({ entry, what: `entry ${entry}: ${damage.what}` });
  }
  if (found.length === 0) found.push({ entry: seq + 1, what: "the new entry was changed while it was written" });
  return {
    entry: Math.min(...found.flatMap((one) => one.entry ?? []), seq + 1),
    found: shorten([...new Set(found.map(({ what }) => what))].join("; "), FOUND_CHARS),
  };
}

/** The foreign entries of a subject, oldest first. */
export const foreignEntries = (sql: Prepare, subject: string): ForeignEntry[] =>
  sql(JOURNAL.foreignEntries, "big")
    .all({ subject, chars: TEXT_CHARS, limit: MOST_SHOWN })
    .map(({ seq, found_at_ms, text }) => ({
      seq: Number(cellOf(seq)),
      foundAtMs: Number(cellOf(found_at_ms)),
      text: String(cellOf(text) ?? ""),
    }));
