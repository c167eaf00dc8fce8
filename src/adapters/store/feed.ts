import type { Feed, FeedEntry } from "../../core/workflow/store.ts";
import { type Database, patiently } from "./driver.ts";
import { eventIn } from "./entry-rows.ts";
import { type MessageRow, storedMessage } from "./run-rows.ts";
import { preparing } from "./task-statements.ts";

/** Whoever wants more comes again: a page has to fit into memory, and its events can be long. */
const LONGEST_PAGE = 1_000;

const SQL = {
  after: `SELECT f.id, f.kind, f.subject, f.seq, f.at_ms, CASE f.kind
      WHEN 'loop' THEN (SELECT event FROM entries WHERE loop = f.subject AND seq = f.seq)
      WHEN 'task' THEN (SELECT event FROM task_entries WHERE task = f.subject AND seq = f.seq)
      WHEN 'run' THEN (SELECT event FROM run_entries WHERE run = f.subject AND seq = f.seq)
    END AS event, m.role, m.content, m.run
    FROM feed f LEFT JOIN messages m ON f.kind = 'message' AND m.id = f.seq
    WHERE f.id > :after ORDER BY f.id LIMIT :limit`,
  last: "SELECT max(id) AS id FROM feed",
} as const;

interface FeedRow extends MessageRow {
  kind: FeedEntry["kind"];
  subject: string;
  seq: number;
  /** Null for a message, which is a row and no event. */
  event: string | null;
}

/** The feed that the triggers of the database fill. */
export function feedOn(db: Database, path: string): Feed {
  const sql = preparing(db);
  return {
    after: (id, limit) =>
      patiently(path, () => {
        for (let after = id; ; ) {
          const found = sql(SQL.after).all({ after, limit: Math.min(limit, LONGEST_PAGE) });
          const rows = found as unknown as FeedRow[];
          const entries = rows.flatMap((row) => entryOf(row) ?? []);
          const last = rows.at(-1);
          if (entries.length > 0 || !last) return entries;
          after = last.id;
        }
      }),
    last: () => patiently(path, () => Number(sql(SQL.last).get()?.id ?? 0)),
  };
}

/** Null where an entry cannot be read any more, or is gone: the others go on. */
function entryOf(row: FeedRow): FeedEntry | null {
  const { id, kind, subject, seq, at_ms } = row;
  const place = { id, subject, seq, atMs: at_ms };
  if (kind === "message") return { ...place, kind, event: storedMessage({ ...row, id: seq }) };
  if (kind === "loop") {
    const read = eventIn(row.event);
    return "event" in read ? { ...place, kind, event: read.event } : null;
  }
  const event: unknown = JSON.parse(row.event ?? "null");
  return { ...place, kind, event } as FeedEntry;
}
