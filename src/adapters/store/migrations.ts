import { RalphError } from "../../core/errors.ts";
import { type Database, inTransaction } from "./driver.ts";
import { RUNS } from "./migration-runs.ts";
import { LEVELS_MIGRATION, SUBJECTS } from "./migration-steps.ts";

/** One step per released schema, oldest first. A released step is never edited. */
export const STEPS: readonly string[] = [
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
  CREATE TABLE specs (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    -- Made because a task named it; whoever writes it down takes it over.
    implied INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX specs_by_name ON specs (id COLLATE NOCASE);
  CREATE TABLE tasks (
    age INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    spec TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    priority INTEGER NOT NULL,
    dependencies TEXT NOT NULL,
    assignee TEXT NOT NULL,
    metadata TEXT NOT NULL,
    completion_spec TEXT,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    -- Of its own dependencies those that are not done, and how many tasks depend on it: choosing the next task counts nothing.
    open INTEGER NOT NULL,
    dependants INTEGER NOT NULL,
    -- What follows from its journal.
    seq INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'todo',
    held INTEGER NOT NULL DEFAULT 0,
    loop TEXT,
    at_hand INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    state TEXT
  );
  CREATE UNIQUE INDEX tasks_by_name ON tasks (id COLLATE NOCASE);
  CREATE INDEX tasks_in_order ON tasks (priority, dependants DESC, age);
  CREATE INDEX tasks_by_spec ON tasks (spec, priority, dependants DESC, age);
  CREATE INDEX tasks_by_status ON tasks (status, priority, dependants DESC, age);
  CREATE INDEX tasks_counted ON tasks (spec, status);
  CREATE INDEX tasks_ready ON tasks (priority, dependants DESC, age) WHERE status = 'todo' AND held = 0 AND open = 0;
  CREATE INDEX tasks_ready_by_spec ON tasks (spec, priority, dependants DESC, age)
    WHERE status = 'todo' AND held = 0 AND open = 0;
  CREATE TABLE dependencies (needs TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (needs, task)) WITHOUT ROWID;
  CREATE TABLE task_entries (
    task TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (task, seq)
  ) WITHOUT ROWID;
  `,
  RUNS,
  `
  ALTER TABLE loops ADD COLUMN driver TEXT NOT NULL DEFAULT 'engine';
  ALTER TABLE loops ADD COLUMN session TEXT;
  CREATE INDEX loops_of_hosts ON loops (session, created_at_ms DESC) WHERE driver = 'host' AND status <> 'stopped';
  `,
  `
  -- Over the hash of the entry before and the entry itself; entries of earlier versions have none.
  ALTER TABLE entries ADD COLUMN hash TEXT;
  ALTER TABLE loops ADD COLUMN head TEXT;
  -- What other processes wrote into a journal while a driver held its loop: evidence, read by nobody who goes on with it.
  CREATE TABLE foreign_entries (
    id INTEGER PRIMARY KEY,
    loop TEXT NOT NULL,
    found_at_ms INTEGER NOT NULL,
    seq,
    epoch,
    at_ms,
    event,
    hash
  );
  CREATE INDEX foreign_entries_by_loop ON foreign_entries (loop);
  -- What a state holds has changed: it is the fold of the entries again.
  DELETE FROM snapshots;
  `,
  LEVELS_MIGRATION,
  `
  -- What a state holds has changed: it is the fold of the entries again.
  DELETE FROM snapshots;
  `,
  SUBJECTS,
  `
  -- What a state holds has changed: it is the fold of the entries again.
  DELETE FROM snapshots;
  `,
];

export const SCHEMA_VERSION = STEPS.length;

/** Called before anything is written: a newer Ralph's journal stays unchanged. */
export function refuseNewer(db: Database, path: string): void {
  const version = versionOf(db);
  if (version > SCHEMA_VERSION) throw newerError(path, version);
}

/** Updates the schema. Safe when several processes do it at once. */
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
    { hint: "install that version or a later one, or set RALPH_STATE_DIR to start a separate journal" },
  );
