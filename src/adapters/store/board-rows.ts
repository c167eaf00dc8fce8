import type { LoopSummary } from "../../core/loop/store.ts";
import type { BoardRows, Spent, TaskRows } from "../../core/view/rows.ts";
import { cellsOf, type StoredRow } from "./cells.ts";
import { inTransaction, sqliteCode } from "./driver.ts";
import type { Connection } from "./journal.ts";
import type { Prepare } from "./statements.ts";
import { summaryOf } from "./summary.ts";
import { type SummaryRow, summaryOfTask } from "./task-rows.ts";
import { listing } from "./task-statements.ts";

const SPENT = "SELECT task, sum(cost_usd) AS cost, sum(tokens) AS tokens FROM loops WHERE task IS NOT NULL";

const SQL = {
  last: "SELECT coalesce(max(id), 0) AS id FROM feed",
  subjects: "SELECT DISTINCT subject FROM feed WHERE id > :at",
  tasks: listing({ spec: false, status: false, only: null, parent: false }),
  told: `SELECT id FROM tasks WHERE status NOT IN ('todo', 'done', 'cancelled') OR (status = 'todo' AND failure IS NOT NULL)`,
  mark: `SELECT count(*) || ' ' || coalesce(max(age), 0) || ' ' || total(updated_at_ms) || ' ' || total(priority)
    || ' ' || total(length(title)) || ' ' || total(length(dependencies)) AS mark FROM tasks`,
  active: "SELECT * FROM loops WHERE status <> 'stopped'",
  stopped: "SELECT * FROM loops WHERE status = 'stopped' ORDER BY created_at_ms DESC, id LIMIT :most",
  ofTasks: "SELECT l.* FROM tasks t JOIN loops l ON l.id = t.loop",
  loop: "SELECT * FROM loops WHERE id = :id",
  spent: `${SPENT} GROUP BY task`,
  spentOn: `${SPENT} AND task = :task`,
  lastBefore: "SELECT coalesce((SELECT id FROM feed WHERE at_ms < :ms ORDER BY id DESC LIMIT 1), 0) AS id",
  /** Of loops, whose ids have no slash. A damaged entry costs nothing. */
  cost: `SELECT total(CASE WHEN json_valid(e.event) THEN json_extract(e.event, '$.usage.costUsd') END) AS cost
    FROM feed f JOIN entries e ON e.subject = f.subject AND e.seq = f.seq WHERE f.id > :at AND f.at_ms >= :sinceMs AND instr(f.subject, '/') = 0`,
} as const;

/** What boards show, without folding a journal per row. */
export function boardRowsOn({ db, sql }: Connection, patient: <T>(work: () => T) => Promise<T>): BoardRows {
  const reading = <T>(work: () => T): Promise<T> => patient(() => inTransaction(db, work, "DEFERRED"));
  return {
    all: ({ stopped, sinceMs }) =>
      reading(() => ({
        at: lastOf(sql),
        tasks: tasksIn(sql, markOf(sql)),
        loops: loopsIn(sql, stopped),
        spent: spentIn(sql(SQL.spent).all()),
        newUsd: costSince(sql, { at: lastBefore(sql, sinceMs), sinceMs }),
      })),
    since: ({ at, mark, sinceMs }) =>
      reading(() => {
        const subjects = sql(SQL.subjects)
          .all({ at })
          .map((row) => withKind(String(row.subject)));
        const loops = subjects.flatMap((subject) => loopNamed(sql, subject) ?? []);
        const tasks = new Set(loops.flatMap(({ part }) => part?.task ?? []));
        const now = markOf(sql);
        const isSame = now === mark && !subjects.some((subject) => subject.startsWith("task/"));
        return {
          at: lastOf(sql),
          subjects,
          loops,
          spent: spentIn([...tasks].flatMap((task) => sql(SQL.spentOn).all({ task }))),
          tasks: isSame ? null : tasksIn(sql, now),
          newUsd: loops.length > 0 ? costSince(sql, { at, sinceMs }) : 0,
        };
      }),
    spentOn: (task) => reading(() => spentIn(sql(SQL.spentOn).all({ task })).get(task) ?? { costUsd: 0, tokens: 0 }),
  };
}

const lastOf = (sql: Prepare): number => Number(sql(SQL.last).get()?.id);
const lastBefore = (sql: Prepare, ms: number): number => Number(sql(SQL.lastBefore).get({ ms })?.id);
const costSince = (sql: Prepare, after: { at: number; sinceMs: number }): number =>
  Number(sql(SQL.cost).get(after)?.cost);
const markOf = (sql: Prepare): string => String(sql(SQL.mark).get()?.mark);

/** The id of a loop has no slash. */
const withKind = (subject: string): string => (subject.includes("/") ? subject : `loop/${subject}`);

function tasksIn(sql: Prepare, mark: string): TaskRows {
  const rows = sql(SQL.tasks).all({ limit: -1 }) as unknown as SummaryRow[];
  const told = sql(SQL.told)
    .all()
    .map(({ id }) => String(id));
  return { tasks: rows.map(summaryOfTask), told, mark };
}

function loopsIn(sql: Prepare, most: number): LoopSummary[] {
  const rows = [
    ...foundIn(sql, SQL.active, {}),
    ...foundIn(sql, SQL.stopped, { most }),
    ...foundIn(sql, SQL.ofTasks, {}),
  ];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()].map(summaryOf);
}

/** Reading big numbers takes twice as long, and only another program writes them. */
function foundIn(sql: Prepare, text: string, given: Record<string, number>): StoredRow[] {
  try {
    return sql(text).all(given) as StoredRow[];
  } catch (error) {
    if (sqliteCode(error) !== undefined) throw error;
    // Statements are kept by their text.
    return sql(`${text} `, "big").all(given).map(cellsOf);
  }
}

const summaryIn = (row: Record<string, unknown>): LoopSummary => summaryOf(cellsOf(row));

function loopNamed(sql: Prepare, subject: string): LoopSummary | null {
  if (!subject.startsWith("loop/")) return null;
  const row = sql(SQL.loop, "big").get({ id: subject.slice("loop/".length) });
  return row ? summaryIn(row) : null;
}

const spentIn = (rows: readonly Record<string, unknown>[]): Map<string, Spent> =>
  new Map(
    rows
      .filter(({ task }) => task !== null)
      .map(({ task, cost, tokens }) => [String(task), { costUsd: Number(cost), tokens: Number(tokens) }]),
  );
