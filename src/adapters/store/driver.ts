import { createRequire } from "node:module";
import type { DatabaseSync } from "@photostructure/sqlite";
import { RalphError } from "../../core/errors.ts";

export type Database = InstanceType<typeof DatabaseSync>;

const load: (name: string) => typeof import("@photostructure/sqlite") = createRequire(import.meta.url);

/** Node's own SQLite, or the package with the same interface if Node has none. Loaded on demand. */
function loadDriver(): typeof DatabaseSync {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 13)) return load("@photostructure/sqlite").DatabaseSync;
  const { emitWarning } = process;
  // Its only warning says that it is experimental; users need not see that.
  process.emitWarning = () => undefined;
  try {
    return load("node:sqlite").DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** How long the synchronous driver may wait for another writer: a longer wait would block Ctrl-C. */
const BUSY_MS = 20;

export function openDatabase(path: string, timeout = BUSY_MS): Database {
  const Driver = loadDriver();
  return translating(path, () => new Driver(path, { timeout }));
}

export const BUSY = 5;
const CORRUPT = 11;

/** SQLite's primary result code; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  // A pragma on a damaged database throws without a number.
  return "code" in error && error.code === "ERR_SQLITE_ERROR" && /malformed/.test(error.message) ? CORRUPT : undefined;
}

/** Does the work; retries while another process writes. The event loop runs in between. */
export async function patiently<T>(path: string, work: () => T): Promise<T> {
  const giveUpMs = Date.now() + 30_000;
  while (true) {
    try {
      return work();
    } catch (error) {
      if (sqliteCode(error) !== BUSY || Date.now() > giveUpMs) throw databaseError(error, path);
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
  }
}

/** The maximum wait of a caller that blocks the event loop. */
const HURRY_MS = 2_000;

/** Like `patiently`, but synchronous: this thread sleeps between attempts. */
export function hurriedly<T>(path: string, work: () => T): T {
  const giveUpMs = Date.now() + HURRY_MS;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (true) {
    try {
      return work();
    } catch (error) {
      if (sqliteCode(error) !== BUSY || Date.now() > giveUpMs) throw databaseError(error, path);
      Atomics.wait(never, 0, 0, 5 + Math.random() * 20);
    }
  }
}

/** Does the work once. Converts SQLite's errors to RalphErrors. */
export function translating<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw databaseError(error, path);
  }
}

/** Runs the work in a transaction. `DEFERRED`, for readers, does not block writers. */
export function inTransaction<T>(db: Database, work: () => T, kind: "IMMEDIATE" | "DEFERRED" = "IMMEDIATE"): T {
  db.exec(`BEGIN ${kind}`);
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function rollBack(db: Database): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // SQLite has already rolled back, as it does when the disk is full; the first error is the one to report.
  }
}

type DatabaseTrouble = Record<"code" | "says" | "hint", string> & { exitCode: number };

const RESTORE = "restore it from a backup, or move the file away to start a new one";
const DIAGNOSE = "see `ralph doctor`; move the file away to start a new one";

const ALTERED: DatabaseTrouble = {
  code: "database-altered",
  says: "lacks tables that Ralph made: another program changed it",
  hint: RESTORE,
  exitCode: 2,
};

const TROUBLES: Record<number, DatabaseTrouble> = {
  5: {
    code: "database-busy",
    says: "is busy",
    hint: "another process keeps writing: see `ralph list`",
    exitCode: 1,
  },
  8: {
    code: "database-readonly",
    says: "cannot be written",
    hint: "check the permissions, or set RALPH_STATE_DIR",
    exitCode: 2,
  },
  10: {
    code: "database-io",
    says: "could not be read or written",
    hint: "check the disk and its limits with `ralph doctor`, then `ralph resume`",
    exitCode: 1,
  },
  11: { code: "database-corrupt", says: "is damaged", hint: DIAGNOSE, exitCode: 2 },
  13: {
    code: "disk-full",
    says: "could not grow: the disk is full",
    hint: "free some space; `ralph resume` continues a loop that was stopped by it",
    exitCode: 1,
  },
  14: {
    code: "database-unopened",
    says: "cannot be opened",
    hint: "check that the folder exists and can be written, or set RALPH_STATE_DIR",
    exitCode: 2,
  },
  19: {
    code: "database-altered",
    says: "rejected a write: another program changed its tables or added a trigger",
    hint: RESTORE,
    exitCode: 2,
  },
  26: { code: "database-corrupt", says: "is not a database", hint: DIAGNOSE, exitCode: 2 },
};

/** Converts an error of SQLite to a RalphError. Returns any other error unchanged. */
export function databaseError(error: unknown, path: string): unknown {
  const isAltered = error instanceof Error && /^no such (table|column): |has no column named /.test(error.message);
  const trouble = isAltered ? ALTERED : TROUBLES[sqliteCode(error) ?? -1];
  if (!trouble) return error;
  const { code, says, hint, exitCode } = trouble;
  return new RalphError(code, `the database ${path} ${says}`, { hint, exitCode, cause: error });
}
