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
const INSERTED = ["id", "door", "title", "cwd", "task", "place", "run", "run_part", "created_at_ms", ...CHANGING];

/** Every statement of the store, prepared once; the object lives as long as its database. */
export function statementsOf(db: Database) {
  return {
    insertLoop: db.prepare(
      `INSERT INTO loops (seq, epoch, holder, ${INSERTED.join(", ")}) VALUES (1, 0, '', ${INSERTED.map((c) => `:${c}`).join(", ")})`,
    ),
    updateLoop: db.prepare(
      `UPDATE loops SET seq = :seq, epoch = :epoch, ${CHANGING.map((c) => `${c} = :${c}`).join(", ")}
       WHERE id = :id AND seq = :expected_seq AND epoch = :expected_epoch`,
    ),
    setHolder: db.prepare("UPDATE loops SET holder = :holder WHERE id = :id"),
    fence: db.prepare("SELECT seq, epoch FROM loops WHERE id = :id"),
    insertEntry: db.prepare(
      "INSERT INTO entries (loop, seq, epoch, at_ms, event) VALUES (:loop, :seq, :epoch, :at_ms, :event)",
    ),
    firstEntry: db.prepare("SELECT * FROM entries WHERE loop = :loop AND seq = 1"),
    tail: db.prepare("SELECT * FROM entries WHERE loop = :loop AND seq > :after ORDER BY seq"),
    entriesAfter: db.prepare("SELECT * FROM entries WHERE loop = :loop AND seq > :after ORDER BY seq LIMIT 500"),
    snapshot: db.prepare("SELECT seq, state FROM snapshots WHERE loop = :loop"),
    putSnapshot: db.prepare(
      "INSERT INTO snapshots (loop, seq, state) VALUES (:loop, :seq, :state) ON CONFLICT (loop) DO UPDATE SET seq = excluded.seq, state = excluded.state",
    ),
    allLoops: db.prepare("SELECT * FROM loops ORDER BY created_at_ms DESC, id LIMIT :limit"),
    activeLoops: db.prepare(
      "SELECT * FROM loops WHERE status <> 'stopped' ORDER BY created_at_ms DESC, id LIMIT :limit",
    ),
    loopsOfTask: db.prepare(
      "SELECT * FROM loops WHERE task = :task AND status <> :without ORDER BY created_at_ms DESC, id LIMIT :limit",
    ),
    loopsOfRun: db.prepare(
      "SELECT * FROM loops WHERE run = :run AND status <> :without ORDER BY created_at_ms DESC, id LIMIT :limit",
    ),
    loopsOfSession: db.prepare(
      `SELECT * FROM loops WHERE session = :session AND driver = 'host' AND status <> :without
       ORDER BY created_at_ms DESC, id LIMIT :limit`,
    ),
    loopsByPrefix: db.prepare(
      "SELECT * FROM loops WHERE id >= :prefix AND id < :prefix || '~' ORDER BY id <> :prefix, created_at_ms DESC LIMIT 5",
    ),
    insertRequest: db.prepare(
      "INSERT INTO inbox (loop, at_ms, command, requested_by) VALUES (:loop, :at_ms, :command, :requested_by)",
    ),
    requests: db.prepare('SELECT command, requested_by AS "by" FROM inbox WHERE loop = :loop ORDER BY id'),
    clearInbox: db.prepare("DELETE FROM inbox WHERE loop = :loop AND at_ms < :before_ms"),
    dataVersion: db.prepare("PRAGMA data_version"),
  };
}

export type Statements = ReturnType<typeof statementsOf>;
