import type { Database } from "./driver.ts";

const CHANGING = [
  "status",
  "reason",
  "detail",
  "iteration",
  "max_iterations",
  "cost_usd",
  "tokens",
  "wait_until_ms",
  "proved",
  "criteria",
  "driver",
  "session",
  "updated_at_ms",
];
const INSERTED = [
  "id",
  "door",
  "title",
  "cwd",
  "task",
  "place",
  "run",
  "run_part",
  "created_at_ms",
  "head",
  ...CHANGING,
];
/** The columns of a loop's row. */
export const LOOP_COLUMNS: readonly string[] = [...INSERTED, "seq", "epoch", "holder"];

const insertion = (how: string): string =>
  `${how} INTO loops (${LOOP_COLUMNS.join(", ")}) VALUES (${LOOP_COLUMNS.map((c) => `:${c}`).join(", ")})`;

/** A number that another hand made too large for JavaScript must not throw where rows are read. */
function big<S extends { setReadBigInts(enabled: boolean): void }>(statement: S): S {
  statement.setReadBigInts(true);
  return statement;
}

/** Those for entries that another process wrote. */
const foreignStatements = (db: Database) => ({
  keepAside: db.prepare(
    `INSERT INTO foreign_entries (loop, found_at_ms, seq, epoch, at_ms, event, hash)
     SELECT loop, :now, seq, epoch, at_ms, event, hash FROM entries
     WHERE loop = :loop AND (seq > :seq OR seq < 1 OR typeof(seq) <> 'integer') ORDER BY seq`,
  ),
  dropForeign: db.prepare(
    "DELETE FROM entries WHERE loop = :loop AND (seq > :seq OR seq < 1 OR typeof(seq) <> 'integer')",
  ),
  dropSnapshot: db.prepare("DELETE FROM snapshots WHERE loop = :loop"),
  dropFromFeed: db.prepare(
    "DELETE FROM feed WHERE kind = 'loop' AND subject = :loop AND (seq > :seq OR seq < 1 OR typeof(seq) <> 'integer')",
  ),
  foreignEntries: big(
    db.prepare(
      `SELECT seq, found_at_ms, substr(CAST(event AS TEXT), 1, :chars) AS text FROM foreign_entries
       WHERE loop = :loop ORDER BY id LIMIT :limit`,
    ),
  ),
});

/** Every statement of the store, prepared once; the object lives as long as its database. */
export function statementsOf(db: Database) {
  return {
    insertLoop: db.prepare(insertion("INSERT")),
    restoreLoop: db.prepare(insertion("INSERT OR REPLACE")),
    updateLoop: db.prepare(
      `UPDATE loops SET seq = :seq, epoch = :epoch, head = :head, holder = :holder,
       ${CHANGING.map((c) => `${c} = :${c}`).join(", ")}
       WHERE id = :id AND seq = :expected_seq AND epoch = :expected_epoch AND head IS :expected_head`,
    ),
    row: big(db.prepare(`SELECT ${LOOP_COLUMNS.join(", ")} FROM loops WHERE id = :id`)),
    insertEntry: db.prepare(
      "INSERT INTO entries (loop, seq, epoch, at_ms, event, hash) VALUES (:loop, :seq, :epoch, :at_ms, :event, :hash)",
    ),
    pageOfEntries: big(
      db.prepare("SELECT * FROM entries WHERE loop = :loop AND seq > :after ORDER BY seq LIMIT :limit"),
    ),
    verdictBefore: big(
      db.prepare(
        "SELECT * FROM entries WHERE loop = :loop AND seq < :seq AND json_extract(event, '$.type') = 'claim.judged' ORDER BY seq DESC LIMIT 1",
      ),
    ),
    lastEntries: big(db.prepare("SELECT * FROM entries WHERE loop = :loop AND seq >= :from ORDER BY seq LIMIT 2")),
    firstEntry: big(db.prepare("SELECT * FROM entries WHERE loop = :loop AND seq = 1")),
    tail: big(db.prepare("SELECT * FROM entries WHERE loop = :loop AND seq > :after ORDER BY seq")),
    snapshot: big(db.prepare("SELECT seq, state FROM snapshots WHERE loop = :loop")),
    putSnapshot: db.prepare(
      "INSERT INTO snapshots (loop, seq, state) VALUES (:loop, :seq, :state) ON CONFLICT (loop) DO UPDATE SET seq = excluded.seq, state = excluded.state",
    ),
    allLoops: big(db.prepare("SELECT * FROM loops ORDER BY created_at_ms DESC, id LIMIT :limit")),
    activeLoops: big(
      db.prepare("SELECT * FROM loops WHERE status <> 'stopped' ORDER BY created_at_ms DESC, id LIMIT :limit"),
    ),
    loopsOfTask: big(
      db.prepare(
        "SELECT * FROM loops WHERE task = :task AND status <> :without ORDER BY created_at_ms DESC, id LIMIT :limit",
      ),
    ),
    loopsOfRun: big(
      db.prepare(
        "SELECT * FROM loops WHERE run = :run AND status <> :without ORDER BY created_at_ms DESC, id LIMIT :limit",
      ),
    ),
    loopsOfSession: big(
      db.prepare(
        `SELECT * FROM loops WHERE session = :session AND driver = 'host' AND status <> :without
       ORDER BY created_at_ms DESC, id LIMIT :limit`,
      ),
    ),
    loopsByPrefix: big(
      db.prepare(
        "SELECT * FROM loops WHERE id >= :prefix AND id < :prefix || '~' ORDER BY id <> :prefix, created_at_ms DESC LIMIT 5",
      ),
    ),
    insertRequest: db.prepare(
      "INSERT INTO inbox (loop, at_ms, command, requested_by) VALUES (:loop, :at_ms, :command, :requested_by)",
    ),
    requests: db.prepare('SELECT command, requested_by AS "by" FROM inbox WHERE loop = :loop ORDER BY id'),
    clearInbox: db.prepare("DELETE FROM inbox WHERE loop = :loop AND at_ms < :before_ms"),
    dataVersion: db.prepare("PRAGMA data_version"),
    ...foreignStatements(db),
  };
}

export type Statements = ReturnType<typeof statementsOf>;
