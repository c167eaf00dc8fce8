import { shorten } from "../../core/excerpt.ts";
import type { Fence, Foreign, ForeignEntry, Seal, Written } from "../../core/store.ts";
import { cellOf, rowFrom, rowOf } from "./cells.ts";
import { textDigest } from "./chain.ts";
import type { Statements } from "./statements.ts";
import { walkJournal } from "./walk.ts";
import { type Difference, differences, put } from "./writing.ts";

const FOUND_CHARS = 1_000;
/** As much of a foreign entry is shown; all of it is kept. */
const TEXT_CHARS = 500;
const MOST_SHOWN = 20;

/**
 * Takes a journal back from whoever wrote into it: entries that are not the driver's own are kept aside, the row is put
 * back, and what `close` says goes on from the driver's own head. What was changed in place stays as it is: the chain
 * tells where.
 */
export function disown(sql: Statements, fence: Fence, close: (found: Foreign) => Written): Written & { seal: Seal } {
  const row = rowFrom(fence.seal.row);
  const loop = String(row.id);
  const found = foundIn(sql, loop, fence);
  const place = { loop, seq: fence.seq };
  sql.keepAside.run({ ...place, now: Date.now() });
  sql.dropForeign.run(place);
  sql.dropFromFeed.run(place);
  sql.dropSnapshot.run({ loop });
  sql.restoreLoop.run(row);
  const written = close(found);
  const own = { ...fence, seal: { ...fence.seal, snapshot: textDigest(null) } };
  return { ...written, seal: put(sql, { fence: own, row, ...written }) };
}

function foundIn(sql: Statements, loop: string, fence: Fence): Foreign {
  const row = rowOf(sql, loop);
  const found: Difference[] = row
    ? differences(sql, row, fence)
    : [{ entry: null, what: "the loop's row was deleted" }, ...differences(sql, rowFrom(fence.seal.row), fence)];
  const walked = walkJournal(sql, rowFrom(fence.seal.row));
  // What is wrong beside the entries, and after them, is among the differences.
  const entry = walked.damage?.entry ?? null;
  if (walked.damage && entry !== null && entry <= fence.seq && !found.some((one) => one.entry === entry)) {
    found.push({ entry, what: `entry ${entry}: ${walked.damage.what}` });
  }
  if (found.length === 0) found.push({ entry: fence.seq + 1, what: "what was written was changed as it was written" });
  return {
    entry: Math.min(...found.flatMap((one) => one.entry ?? []), fence.seq + 1),
    found: shorten([...new Set(found.map(({ what }) => what))].join("; "), FOUND_CHARS),
  };
}

/** What was kept aside of a loop, the oldest first. */
export const foreignEntries = (sql: Statements, loop: string): ForeignEntry[] =>
  sql.foreignEntries.all({ loop, chars: TEXT_CHARS, limit: MOST_SHOWN }).map(({ seq, found_at_ms, text }) => ({
    seq: Number(cellOf(seq)),
    foundAtMs: Number(cellOf(found_at_ms)),
    text: String(cellOf(text) ?? ""),
  }));
