import { dirname } from "node:path";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { Journal, LoopStore } from "../../core/store.ts";
import type { TaskStore } from "../../core/task/store.ts";
import type { Feed, RunStore } from "../../core/workflow/store.ts";
import { fileAt } from "../io/file-at.ts";
import { makeFolder } from "../io/folder.ts";
import { type Database, hurriedly, openDatabase, patiently, translating } from "./driver.ts";
import { feedOn } from "./feed.ts";
import { journalOn } from "./journal.ts";
import { migrate, refuseNewer } from "./migrations.ts";
import { runsOn } from "./runs.ts";
import { type Statements, statementsOf } from "./statements.ts";
import { tasksOn } from "./tasks.ts";

/** A short write-ahead log is soon written over instead of growing, and a sync that grows no file is the cheaper one. */
const WAL_PAGES = 128;

/** The journal of loops, with tasks and runs beside it, and what they all write down in one order. */
export interface SqliteStore extends LoopStore {
  tasks: TaskStore;
  runs: RunStore;
  feed: Feed;
}

/** Opens the journal, creating or migrating it. */
export async function openSqliteStore(path: string): Promise<SqliteStore> {
  const { db, ready } = open(path);
  try {
    const sql = await patiently(path, ready);
    return { ...storeOn(db, sql, path), tasks: tasksOn(db, path), runs: runsOn(db, path), feed: feedOn(db, path) };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The journal for callers that need their answer at once. */
export interface OpenJournal extends Journal {
  close(): void;
}

/** Opens the journal, creating or migrating it, without waiting for anything but other writers. */
export function openJournal(path: string): OpenJournal {
  const { db, ready } = open(path);
  try {
    const journal = journalOn(db, hurriedly(path, ready), (work) => hurriedly(path, work));
    return { ...journal, close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

function open(path: string): { db: Database; ready(): Statements } {
  makeFolder(dirname(path));
  const db = openDatabase(path);
  return {
    db,
    ready() {
      refuseNewer(db, path);
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${WAL_PAGES}`);
      migrate(db, path);
      return statementsOf(db);
    },
  };
}

function storeOn(db: Database, sql: Statements, path: string): LoopStore {
  const journal = journalOn(db, sql);
  const file = fileAt(path);
  // A reader waits too: for a moment, when the last other process closes the journal, nobody can read.
  const patient = <T>(work: () => T): Promise<T> => patiently(path, work);
  return {
    create: (id, event, atMs) => patient(() => journal.create(id, event, atMs)),
    adopt: (id, event, atMs, holder) => patient(() => journal.adopt(id, event, atMs, holder)),
    append: (fence, entries, state) =>
      patient(() => {
        insistItIsThere(path, file);
        return journal.append(fence, entries, state);
      }),
    disown: (fence, close) => patient(() => journal.disown(fence, close)),
    load: (id) => patient(() => journal.load(id)),
    glance: (id) => patient(() => journal.glance(id)),
    check: (id) => patient(() => journal.check(id)),
    foreignEntries: (id) => patient(() => journal.foreignEntries(id)),
    async *entries(id, afterSeq = 0) {
      for (let after = afterSeq; ; ) {
        const page = await patient(() => journal.page(id, after));
        yield* page;
        const last = page.at(-1);
        if (!last) return;
        after = last.seq;
      }
    },
    summaries: (filter) => patient(() => journal.summaries(filter)),
    find: (idOrPrefix) => patient(() => journal.find(idOrPrefix)),
    request: (id, request, atMs) => patient(() => journal.request(id, request, atMs)),
    forgetRequests: (id, beforeMs) => patient(() => journal.forgetRequests(id, beforeMs)),
    requests: (id) => patient(() => journal.requests(id)),
    // One for each watcher: what one of them has seen is still news to the others.
    watchNews() {
      let seenVersion = 0;
      return () => {
        const version = translating(path, () => Number(sql.dataVersion.get()?.data_version));
        const news = version !== seenVersion;
        seenVersion = version;
        return news;
      };
    },
    close: () => db.close(),
  };
}

/** SQLite goes on writing into a file that was removed, where nobody would ever find it. */
function insistItIsThere(path: string, file: string | null): void {
  if (fileAt(path) === file) return;
  throw new RalphError("database-replaced", `the database ${path} was removed or replaced while it was in use`, {
    hint: "the loop cannot be resumed from it: restore it from a backup, or start the work again",
    exitCode: EXIT.stopped,
  });
}
