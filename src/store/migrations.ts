import { RalphError } from "../core/errors.ts";
import { type Database, inTransaction } from "./driver.ts";

/** One step per released schema, oldest first; a step that was released is never edited. */
const STEPS: readonly string[] = [
  `
  CREATE TABLE loops (
    id TEXT PRIMARY KEY,
    door TEXT NOT NULL,
    title TEXT NOT NULL,
    cwd TEXT NOT NULL,
    seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    detail TEXT NOT NULL,
    iteration INTEGER NOT NULL,
    max_iterations INTEGER,
    cost_usd REAL NOT NULL,
    tokens INTEGER NOT NULL,
    wait_until_ms INTEGER,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    holder TEXT NOT NULL
  );
  CREATE INDEX loops_by_age ON loops (created_at_ms DESC, id);
  CREATE INDEX loops_active ON loops (created_at_ms DESC, id) WHERE status <> 'stopped';
  CREATE TABLE entries (
    loop TEXT NOT NULL,
    seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (loop, seq)
  ) WITHOUT ROWID;
  CREATE TABLE snapshots (loop TEXT PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL);
  CREATE TABLE inbox (
    id INTEGER PRIMARY KEY,
    loop TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    command TEXT NOT NULL,
    requested_by TEXT NOT NULL
  );
  CREATE INDEX inbox_by_loop ON inbox (loop);
  `,
  `
  ALTER TABLE loops ADD COLUMN proved INTEGER;
  ALTER TABLE loops ADD COLUMN criteria INTEGER;
  -- What a state holds has changed: it is the fold of the entries again.
  DELETE FROM snapshots;
  `,
  `
  ALTER TABLE loops ADD COLUMN task TEXT;
  ALTER TABLE loops ADD COLUMN place TEXT;
  CREATE INDEX loops_by_task ON loops (task, created_at_ms) WHERE task IS NOT NULL;
  DELETE FROM snapshots;
  `,
];

export const SCHEMA_VERSION = STEPS.length;

/** To be called before anything is written: what a newer Ralph made is left as it is. */
export function refuseNewer(db: Database, path: string): void {
  const version = versionOf(db);
  if (version > SCHEMA_VERSION) throw newerError(path, version);
}

/** Brings the schema up to date; safe when several processes do it at once. */
export function migrate(db: Database, path: string): void {
  if (versionOf(db) === SCHEMA_VERSION) return;
  inTransaction(db, () => {
    refuseNewer(db, path);
    for (const step of STEPS.slice(versionOf(db))) db.exec(step);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function versionOf(db: Database): number {
  return Number(db.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

const newerError = (path: string, version: number): RalphError =>
  new RalphError(
    "database-newer",
    `the journal ${path} was written by a newer Ralph (schema ${version}, this one knows ${SCHEMA_VERSION})`,
    { hint: "install that version or a later one, or set RALPH_STATE_DIR to start a journal of its own" },
  );
