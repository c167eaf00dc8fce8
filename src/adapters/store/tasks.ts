import type { TaskEvent } from "../../core/task/events.ts";
import { reduceTask } from "../../core/task/reduce.ts";
import { NEW_TASK } from "../../core/task/state.ts";
import type { LoadedTask, LostTask, SpecSummary, TaskFilter, TaskStore, TaskSummary } from "../../core/task/store.ts";
import { isBegun, type NewTask, type Spec, type Task, type TaskStatus } from "../../core/task/task.ts";
import { type Database, inTransaction, patiently } from "./driver.ts";
import { begunTask, damagedTask, neededTask, unknownTask, unmergedTask } from "./task-errors.ts";
import { isProjected, pageOf, reproject, standingOf, writeEvents } from "./task-journal.ts";
import { type LoadedRow, type SummaryRow, summaryOfTask, type TaskRow, taskOf } from "./task-rows.ts";
import { listing, type Prepare, preparing, SQL, type Which } from "./task-statements.ts";
import { forgetNeed, writeSpec, writeTaskChange, writeTasks } from "./task-writing.ts";

/** Specs and tasks in the database of the loops, on its connection. */
export function tasksOn(db: Database, path: string): TaskStore {
  const sql = preparing(db);
  const transaction = <T>(work: () => T): Promise<T> => patiently(path, () => inTransaction(db, work));
  const read = <T>(work: () => T): Promise<T> => patiently(path, work);
  return {
    createSpec: (spec, atMs) =>
      transaction(() => {
        writeSpec(sql, spec, atMs);
        return specOf(sql, spec.id) as Spec;
      }),
    spec: (id) => read(() => specOf(sql, id)),
    specs: () => read(() => specs(sql)),
    create: (tasks, atMs, first) => transaction(() => createTasks(sql, tasks, atMs, first)),
    find: (id) => read(() => find(sql, id)),
    list: ({ ready = false, ...filter } = {}) => read(() => list(sql, { ...filter, only: ready ? "ready" : null })),
    async *all({ spec } = {}) {
      for (let after = 0; ; ) {
        const page = await read(() => pageOfTasks(sql, after, spec));
        yield* page.map(taskOf);
        const last = page.at(-1);
        if (!last) return;
        after = last.age;
      }
    },
    counts: (spec) => read(() => counts(sql, spec)),
    update: (id, change, atMs) =>
      transaction(() => {
        writeTaskChange(sql, find(sql, id), change, atMs);
        return find(sql, id);
      }),
    remove: (id) => transaction(() => remove(sql, id)),
    next: ({ begun, ...filter }) => read(() => list(sql, { ...filter, only: begun ? "begun" : "ready" })),
    load: (id) => read(() => load(sql, id)),
    // Mostly there is nothing to set right: what only reads waits for nobody.
    repair: async (id) =>
      (await read(() => isProjected(sql, rowOf(sql, id)))) ? null : transaction(() => reproject(sql, rowOf(sql, id))),
    recount: () => transaction(() => recount(sql)),
    restore: (lost, by, atMs) => transaction(() => restore(sql, lost, by, atMs)),
    append: (id, seq, events, state, atMs) =>
      transaction(() => {
        rowOf(sql, id);
        writeEvents(sql, id, standingOf(sql, id), { seq, events, state, atMs });
        return { task: find(sql, id), seq: seq + events.length, state };
      }),
    async *entries(id) {
      for (let after = 0; ; ) {
        const page = await read(() => pageOf(sql, id, after));
        yield* page;
        const last = page.at(-1);
        if (!last) return;
        after = last.seq;
      }
    },
  };
}

function specOf(sql: Prepare, id: string): Spec | null {
  const row = sql(SQL.spec).get({ id });
  if (!row) return null;
  return { id, title: String(row.title), content: String(row.content), createdAtMs: Number(row.created_at_ms) };
}

function specs(sql: Prepare): SpecSummary[] {
  const rows = sql(SQL.specs).all() as unknown as (Omit<SpecSummary, "createdAtMs"> & { created_at_ms: number })[];
  return rows.map(({ id, title, created_at_ms, tasks, done }) => ({
    id,
    title,
    createdAtMs: created_at_ms,
    tasks,
    done,
  }));
}

function createTasks(sql: Prepare, tasks: readonly NewTask[], atMs: number, first: TaskEvent | undefined): string[] {
  const specs = writeTasks(sql, tasks, atMs);
  if (!first) return specs;
  const state = reduceTask(NEW_TASK, first);
  for (const { id } of tasks)
    writeEvents(sql, id, { seq: 0, state: NEW_TASK }, { seq: 0, events: [first], state, atMs });
  return specs;
}

function rowOf(sql: Prepare, id: string): LoadedRow {
  const row = sql(SQL.task).get({ id });
  if (!row) throw unknown(sql, id);
  return row as unknown as LoadedRow;
}

const find = (sql: Prepare, id: string): Task => taskOf(rowOf(sql, id));

function load(sql: Prepare, id: string): LoadedTask {
  const row = rowOf(sql, id);
  const standing = standingOf(sql, id);
  if (row.seq > standing.seq) throw damagedTask(id, standing.seq + 1);
  return { task: taskOf(row), ...standing };
}

/** Entries that are still there count; where they went with the row, one says what they came to. */
function restore(sql: Prepare, lost: readonly LostTask[], by: string, atMs: number): void {
  writeTasks(
    sql,
    lost.map(({ task }) => task),
    atMs,
  );
  for (const { task, state } of lost) {
    const { seq } = standingOf(sql, task.id);
    const event: TaskEvent = { type: "task.restored", by, state };
    if (seq === 0) sql(SQL.insertEntry).run({ task: task.id, seq: 1, at_ms: atMs, event: JSON.stringify(event) });
    reproject(sql, rowOf(sql, task.id));
  }
  recount(sql);
}

/** The dependencies that tasks have are what their own columns say; all else about them is derived. */
function recount(sql: Prepare): void {
  for (const text of [SQL.forgetNeeds, SQL.insertNeeds, SQL.countAllDependants, SQL.countAllOpen]) sql(text).run();
}

const unknown = (sql: Prepare, id: string): Error =>
  unknownTask(
    id,
    sql(SQL.taskIds)
      .all()
      .map((row) => String(row.id)),
  );

type Listed = Omit<TaskFilter, "ready"> & Pick<Which, "only">;

function list(sql: Prepare, { spec, status, only, parent, limit = -1 }: Listed): TaskSummary[] {
  const text = listing({ spec: spec !== undefined, status: status !== undefined, parent: parent !== undefined, only });
  const values = {
    ...(spec === undefined ? {} : { spec }),
    ...(parent === undefined ? {} : { parent }),
    ...(status === undefined ? {} : { status: JSON.stringify(status) }),
    limit,
  };
  return (sql(text).all(values) as unknown as SummaryRow[]).map(summaryOfTask);
}

function pageOfTasks(sql: Prepare, after: number, spec: string | undefined): TaskRow[] {
  const rows = spec === undefined ? sql(SQL.page).all({ after }) : sql(SQL.pageOfSpec).all({ after, spec });
  return rows as unknown as TaskRow[];
}

function counts(sql: Prepare, spec: string | undefined): Partial<Record<TaskStatus, number>> {
  const rows = spec === undefined ? sql(SQL.counts).all() : sql(SQL.countsOfSpec).all({ spec });
  return Object.fromEntries(rows.map((row) => [String(row.status), Number(row.number)]));
}

function remove(sql: Prepare, id: string): void {
  const task = find(sql, id);
  const { state } = standingOf(sql, id);
  const neededBy = sql(SQL.neededBy)
    .all({ id })
    .map((row) => String(row.task));
  if (neededBy.length > 0) throw neededTask(id, neededBy);
  if (isBegun(task)) throw begunTask(id, task.status);
  if (state.work && !state.merged) throw unmergedTask(id, state.work.branch);
  for (const needs of task.dependencies) forgetNeed(sql, id, needs);
  sql(SQL.removeEntries).run({ task: id });
  sql(SQL.removeTask).run({ id });
}
