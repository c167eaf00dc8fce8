import { dirname } from "node:path";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { Feed, News } from "../../core/feed.ts";
import type { Inbox } from "../../core/inbox.ts";
import type { StopRequest } from "../../core/loop/events.ts";
import type { LoopJournal, LoopStore } from "../../core/loop/store.ts";
import { type Addressee, subjectName } from "../../core/subject.ts";
import type { TaskStore } from "../../core/task/store.ts";
import type { BoardRows } from "../../core/view/rows.ts";
import type { RunStore } from "../../core/workflow/store.ts";
import { fileAt, makeFolder } from "../io/folder.ts";
import { boardRowsOn } from "./board-rows.ts";
import { type Database, hurriedly, inTransaction, openDatabase, patiently } from "./driver.ts";
import { feedOn, newsOn } from "./feed.ts";
import { type Connection, journalOn, type Patience, patientJournal } from "./journal.ts";
import { findLoop, LOOPS, loopSummaries } from "./loops.ts";
import { migrate, refuseNewer } from "./migrations.ts";
import { runsOn } from "./runs.ts";
import { JOURNAL, preparing } from "./statements.ts";
import { tasksOn } from "./tasks.ts";
import { begin, calmOn } from "./writing.ts";

/** A short write-ahead log is soon overwritten instead of growing, and a sync that does not grow a file is cheaper. */
const WAL_PAGES = 128;

/** Loops, and the other ports of the same database. */
export interface SqliteStore extends LoopStore {
  tasks: TaskStore;
  runs: RunStore;
  /** All their entries, in one order. */
  feed: Feed;
  inbox: Inbox;
  news: News;
  rows: BoardRows;
  close(): void;
}

/** Opens the journals, creating or migrating them. */
export async function openSqliteStore(path: string): Promise<SqliteStore> {
  const { db, ready } = open(path);
  try {
    await patiently(path, ready);
    const connection = connectionOn(db);
    const file = fileAt(path);
    const patience: Patience = {
      // Readers retry too: the journal is unreadable for a moment when the last other process closes it.
      patient: (work) => patiently(path, work),
      beforeWriting: () => insistItIsThere(path, file),
    };
    const { request, requests, requestDrop, notesToDrop, ...loops } = loopsNow(connection);
    const { patient } = patience;
    return {
      ...patientJournal(loops, patience),
      create: (...asked) => patient(() => loops.create(...asked)),
      summaries: (...asked) => patient(() => loops.summaries(...asked)),
      find: (wanted) => patient(() => loops.find(wanted)),
      tasks: tasksOn(connection, patience),
      runs: runsOn(connection, patience),
      feed: feedOn(connection.sql, patient),
      inbox: {
        request: (...asked) => patient(() => request(...asked)),
        requests: (subject) => patient(() => requests(subject)),
        requestDrop: (...asked) => patient(() => requestDrop(...asked)),
        notesToDrop: (subject) => patient(() => notesToDrop(subject)),
      },
      news: newsOn(connection.sql, path),
      rows: boardRowsOn(connection, patient),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Synchronous access to the journals of loops. */
export type OpenJournal = LoopJournal & { close(): void };

/** Opens the journals synchronously, creating or migrating them. Waits only for other writers. */
export function openJournal(path: string): OpenJournal {
  const { db, ready } = open(path);
  try {
    hurriedly(path, ready);
    const now = loopsNow(connectionOn(db));
    const hurried = Object.entries(now).map(([name, work]) => [
      name,
      (...asked: never[]) => hurriedly(path, () => (work as (...asked: never[]) => unknown)(...asked)),
    ]);
    return { ...(Object.fromEntries(hurried) as LoopJournal), close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

function open(path: string): { db: Database; ready(): void } {
  makeFolder(dirname(path));
  const db = openDatabase(path);
  return {
    db,
    ready() {
      refuseNewer(db, path);
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${WAL_PAGES}`);
      migrate(db, path);
    },
  };
}

/** For callers that have opened the database themselves. */
export function connectionOn(db: Database): Connection {
  const sql = preparing(db);
  return { db, sql, calm: calmOn(sql) };
}

function loopsNow(connection: Connection) {
  const { db, sql } = connection;
  return {
    ...journalOn(connection, LOOPS),
    create: (...[id, event, atMs]: Parameters<LoopStore["create"]>) =>
      inTransaction(db, () => begin(sql, LOOPS, { id, events: [event], atMs })),
    summaries: (...asked: Parameters<LoopStore["summaries"]>) => loopSummaries(sql, ...asked),
    find: (wanted: string) => findLoop(sql, wanted),
    request: (...[subject, { as, by }, atMs]: Parameters<Inbox["request"]>) =>
      inTransaction(db, () => {
        const command = as === "cancelled" ? "cancel" : "interrupt";
        sql(JOURNAL.insertRequest).run({ subject: subjectName(subject), at_ms: atMs, command, requested_by: by });
      }),
    requestDrop: (...[subject, notes, { by, atMs }]: Parameters<Inbox["requestDrop"]>) =>
      inTransaction(db, () => {
        const about = { subject: subjectName(subject), at_ms: atMs, requested_by: by };
        for (const note of notes) sql(JOURNAL.insertRequest).run({ ...about, command: `drop-note ${note}` });
      }),
    notesToDrop: (subject: Addressee) =>
      sql(JOURNAL.drops)
        .all({ subject: subjectName(subject) })
        .map(({ command }) => Number(String(command).split(" ")[1])),
    requests: (subject: Addressee) =>
      sql(JOURNAL.requests)
        .all({ subject: subjectName(subject) })
        .map(
          ({ command, by }): StopRequest => ({
            as: command === "cancel" ? "cancelled" : "interrupted",
            by: String(by),
          }),
        ),
  } satisfies LoopJournal;
}

/** SQLite continues to write to a removed file, and those entries would be lost. */
function insistItIsThere(path: string, file: string | null): void {
  if (fileAt(path) === file) return;
  throw new RalphError("database-replaced", `the database ${path} was removed or replaced while it was in use`, {
    hint: "the loop cannot be resumed from it: restore it from a backup, or start the work again",
    exitCode: EXIT.stopped,
  });
}
