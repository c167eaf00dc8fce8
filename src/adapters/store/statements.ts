import type { Database } from "./driver.ts";

type Statement = ReturnType<Database["prepare"]>;

/** Prepares a statement on first use and keeps it. `big`: numbers that JavaScript cannot represent do not throw. */
export type Prepare = (text: string, numbers?: "big") => Statement;

export function preparing(db: Database): Prepare {
  const kept = new Map<string, Statement>();
  return (text, numbers) => {
    const known = kept.get(text);
    if (known) return known;
    const statement = db.prepare(text);
    if (numbers === "big") statement.setReadBigInts(true);
    kept.set(text, statement);
    return statement;
  };
}

/** The number of rows with each status. */
export const countsIn = (rows: readonly Record<string, unknown>[]): Record<string, number> =>
  Object.fromEntries(rows.map((row) => [String(row.status), Number(row.number)]));

/** Entries of a subject after `seq`, or with an invalid number. */
const AFTER = "subject = :subject AND (seq > :seq OR seq < 1 OR typeof(seq) <> 'integer')";

export const JOURNAL = {
  insertEntry: `INSERT INTO entries (subject, seq, epoch, at_ms, event, hash)
    VALUES (:subject, :seq, :epoch, :at_ms, :event, :hash)`,
  page: "SELECT * FROM entries WHERE subject = :subject AND seq > :after ORDER BY seq LIMIT :limit",
  lastEntries: "SELECT * FROM entries WHERE subject = :subject AND seq >= :from ORDER BY seq LIMIT 2",
  firstEntry: "SELECT * FROM entries WHERE subject = :subject AND seq = 1",
  snapshot: "SELECT seq, state FROM snapshots WHERE subject = :subject",
  putSnapshot: `INSERT INTO snapshots (subject, seq, state) VALUES (:subject, :seq, :state)
    ON CONFLICT (subject) DO UPDATE SET seq = excluded.seq, state = excluded.state`,
  dropSnapshot: "DELETE FROM snapshots WHERE subject = :subject",
  keepAside: `INSERT INTO foreign_entries (subject, found_at_ms, seq, epoch, at_ms, event, hash)
    SELECT subject, :now, seq, epoch, at_ms, event, hash FROM entries WHERE ${AFTER} ORDER BY seq`,
  dropEntries: `DELETE FROM entries WHERE ${AFTER}`,
  dropFromFeed: `DELETE FROM feed WHERE ${AFTER}`,
  // Repeats the condition of the partial index.
  dropTaskFromFeed: `DELETE FROM feed WHERE ${AFTER} AND subject >= 'task/' AND subject < 'task0'`,
  foreignEntries: `SELECT seq, found_at_ms, substr(CAST(event AS TEXT), 1, :chars) AS text FROM foreign_entries
    WHERE subject = :subject ORDER BY id LIMIT :limit`,
  insertRequest: `INSERT INTO inbox (subject, at_ms, command, requested_by)
    VALUES (:subject, :at_ms, :command, :requested_by)`,
  requests: `SELECT command, requested_by AS "by" FROM inbox
    WHERE subject = :subject AND command NOT LIKE 'drop-note %' ORDER BY id`,
  drops: "SELECT command FROM inbox WHERE subject = :subject AND command LIKE 'drop-note %' ORDER BY id",
  clearInbox: "DELETE FROM inbox WHERE subject = :subject AND at_ms < :before_ms",
  dataVersion: "PRAGMA data_version",
} as const;
