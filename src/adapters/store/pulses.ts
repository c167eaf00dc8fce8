import { existsSync, rmSync } from "node:fs";
import type { Pulse, Pulses } from "../../core/pulse.ts";
import { pulseIn } from "../../core/pulse-row.ts";
import { fileAt } from "../io/folder.ts";
import { BUSY, type Database, inTransaction, openDatabase, sqliteCode } from "./driver.ts";
import { type Prepare, preparing } from "./statements.ts";

/** The format of the file. One of another format is made again: nothing in it is worth keeping. */
const FORMAT = 1;
/** Rows of drivers that were killed. */
const FORGET_MS = 7 * 86_400_000;
const AGAIN_MS = 50;
/** How long to do without a file that cannot be written. */
const GIVE_UP_MS = 10_000;

const SQL = {
  put: `INSERT INTO pulses (kind, id, at_ms, pulse) VALUES (:kind, :id, :at_ms, :pulse)
    ON CONFLICT (kind, id) DO UPDATE SET at_ms = excluded.at_ms, pulse = excluded.pulse`,
  remove: "DELETE FROM pulses WHERE kind = :kind AND id = :id",
  forget: "DELETE FROM pulses WHERE at_ms < :before",
  all: "SELECT kind, id, at_ms, pulse FROM pulses WHERE length(pulse) < 100000 LIMIT 10000",
  format: "PRAGMA user_version",
  version: "PRAGMA data_version",
} as const;

const LAYOUT = `
  DROP TABLE IF EXISTS pulses;
  CREATE TABLE pulses (kind TEXT NOT NULL, id TEXT NOT NULL, at_ms INTEGER NOT NULL, pulse TEXT NOT NULL,
    PRIMARY KEY (kind, id)) WITHOUT ROWID;
  PRAGMA user_version = ${FORMAT};
`;

interface OpenFile {
  db: Database;
  sql: Prepare;
  /** The identity of the file, in case it is removed or made again. */
  file: string | null;
}

interface Row {
  kind: string;
  id: string;
  at_ms: number;
  pulse: string;
}

/**
 * Pulses in a file of their own: no write to it disturbs the journals, and losing it loses nothing. It is opened by the
 * first write, or by the first reader that finds it.
 */
export function pulsesIn(path: string): Pulses & { close(): void } {
  const writer = openWriter(path);
  const reader = openReader(path);
  return {
    beat: ({ kind, id, pulse }, atMs) =>
      writer.put({ kind, id }, { kind, id, at_ms: atMs, pulse: JSON.stringify(pulse) }),
    end: ({ kind, id }) => writer.put({ kind, id }, null),
    all: async () => reader.all(),
    revision: async () => reader.revision(),
    close() {
      writer.close();
      reader.close();
    },
  };
}

type Key = { kind: string; id: string };

/** Keeps the newest row of each driver until it is written. A busy file is tried again, a broken one made again. */
function openWriter(path: string) {
  let open: OpenFile | null = null;
  let silentUntilMs = 0;
  let again: ReturnType<typeof setTimeout> | null = null;
  const due = new Map<string, { key: Key; row: Row | null }>();
  const written = new Set<string>();

  function close(): void {
    open?.db.close();
    open = null;
  }

  function write(): void {
    if (open && fileAt(path) !== open.file) close();
    open ??= openForWriting(path);
    const { db, sql } = open;
    inTransaction(db, () => {
      for (const { key, row } of due.values()) {
        if (row) sql(SQL.put).run({ ...row });
        else sql(SQL.remove).run({ ...key });
      }
    });
    for (const [name, { row }] of due) row ? written.add(name) : written.delete(name);
    due.clear();
  }

  function flush(): void {
    if (due.size === 0 || Date.now() < silentUntilMs) return;
    try {
      write();
    } catch (error) {
      if (sqliteCode(error) === BUSY) {
        again ??= setTimeout(() => {
          again = null;
          flush();
        }, AGAIN_MS).unref();
        return;
      }
      // A driver works on without it.
      close();
      silentUntilMs = Date.now() + GIVE_UP_MS;
    }
  }

  return {
    put(key: Key, row: Row | null): void {
      const name = `${key.kind}/${key.id}`;
      // Nothing was written for a short loop, so that nothing has to be removed.
      if (row === null && !written.has(name)) due.delete(name);
      else due.set(name, { key, row });
      flush();
    },
    close() {
      if (again) clearTimeout(again);
      flush();
      if (again) clearTimeout(again);
      close();
    },
  };
}

/** Opens the file; a damaged one, or one of another version, is replaced. */
function openForWriting(path: string): OpenFile {
  try {
    return prepared(path);
  } catch (error) {
    if (sqliteCode(error) === BUSY) throw error;
    for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
    return prepared(path);
  }
}

function prepared(path: string): OpenFile {
  const db = openDatabase(path);
  try {
    db.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
    const sql = preparing(db);
    inTransaction(db, () => {
      if (formatOf(db) !== FORMAT) db.exec(LAYOUT);
      sql(SQL.forget).run({ before: Date.now() - FORGET_MS });
    });
    return { db, sql, file: fileAt(path) };
  } catch (error) {
    db.close();
    throw error;
  }
}

const formatOf = (db: Database): unknown => db.prepare(SQL.format).get()?.user_version;

/** A connection of its own, which is notified of the rows that this process writes too. */
function openReader(path: string) {
  let open: OpenFile | null = null;

  function close(): void {
    open?.db.close();
    open = null;
  }

  /** Null: there is no file, or none that can be read. */
  function opened(): OpenFile | null {
    const file = existsSync(path) ? fileAt(path) : null;
    if (open?.file !== file) close();
    if (file === null || open) return open;
    const db = openDatabase(path);
    open = { db, sql: preparing(db), file };
    return open;
  }

  /** What is unreadable now may be remade soon. */
  function read<T>(work: (found: OpenFile) => T, otherwise: T): T {
    try {
      const found = opened();
      return found ? work(found) : otherwise;
    } catch {
      close();
      return otherwise;
    }
  }

  return {
    all: () =>
      read<Pulse[]>(({ db, sql }) => {
        if (formatOf(db) !== FORMAT) return [];
        const rows = sql(SQL.all).all() as unknown as Row[];
        return rows.flatMap(
          ({ kind, id, at_ms, pulse }) =>
            pulseIn({ kind: String(kind), id: String(id), atMs: Number(at_ms), text: String(pulse) }) ?? [],
        );
      }, []),
    revision: () => read(({ sql, file }) => `${file} ${sql(SQL.version).get()?.data_version}`, ""),
    close,
  };
}
