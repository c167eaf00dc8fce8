import type { TaskEvent } from "../../core/task/events.ts";
import type {
  LoadedTask,
  LostTask,
  SpecSummary,
  TaskFilter,
  TaskStore,
  TaskSummary,
  WrittenChange,
} from "../../core/task/store.ts";
import { isBegun, type NewTask, type Spec, type Task, type TaskChange } from "../../core/task/task.ts";
import { inTransaction } from "./driver.ts";
import { forgetEntries } from "./foreign.ts";
import { type Connection, journalOn, loadFrom, type Patience, patientJournal } from "./journal.ts";
import { countsIn, type Prepare } from "./statements.ts";
import { begunTask, neededTask, unmergedTask } from "./task-errors.ts";
import { isProjected, reproject, TASKS } from "./task-journal.ts";
import { type ProjectedRow, type SummaryRow, summaryOfTask, type TaskRow, taskOf } from "./task-rows.ts";
import { listing, SQL, type Which } from "./task-statements.ts";
import { forgetNeed, writeSpec, writeTaskChange, writeTasks } from "./task-writing.ts";
import { append, begin } from "./writing.ts";

/** Specs and tasks, in the database and on the connection of the loops. */
export function tasksOn(connection: Connection, patience: Patience): TaskStore {
  const { db, sql } = connection;
  const { patient: read } = patience;
  const transaction = <T>(work: () => T): Promise<T> => read(() => inTransaction(db, work));
  return {
    ...patientJournal(journalOn(connection, TASKS), patience),
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
    counts: (spec) =>
      read(() => countsIn(spec === undefined ? sql(SQL.counts).all() : sql(SQL.countsOfSpec).all({ spec }))),
    update: (id, change, atMs) => transaction(() => update(sql, id, change, atMs)),
    updateAll: (changes, atMs) => transaction(() => updateAll(connection, changes, atMs)),
    remove: (id) => transaction(() => remove(sql, id)),
    next: ({ begun, ...filter }) => read(() => list(sql, { ...filter, only: begun ? "begun" : "ready" })),
    load: (id) => read(() => inTransaction(db, () => load(sql, id), "DEFERRED")),
    // Usually there is nothing to correct, so readers do not wait.
    repair: async (id) =>
      (await read(() => isProjected(sql, rowOf(sql, id)))) ? null : transaction(() => reproject(sql, rowOf(sql, id))),
    recount: () => transaction(() => recount(sql)),
    restore: (lost, by, atMs) => transaction(() => restore(sql, lost, by, atMs)),
  };
}

function specOf(sql: Prepare, id: string): Spec | null {
  const row = sql(SQL.spec).get({ id });
  if (!row) return null;
  return { id, title: String(row.title), content: String(row.content), createdAtMs: Number(row.created_at_ms) };
}

const specs = (sql: Prepare): SpecSummary[] =>
  (sql(SQL.specs).all() as unknown as SpecSummary[]).map((spec) => ({ ...spec }));

function createTasks(sql: Prepare, tasks: readonly NewTask[], atMs: number, first: TaskEvent | undefined): string[] {
  const specs = writeTasks(sql, tasks, atMs);
  if (first) for (const { id } of tasks) begin(sql, TASKS, { id, events: [first], atMs });
  return specs;
}

function rowOf(sql: Prepare, id: string): ProjectedRow {
  const row = sql(SQL.task).get({ id });
  if (!row) throw TASKS.unknown(sql, id);
  return row as unknown as ProjectedRow;
}

const find = (sql: Prepare, id: string): Task => taskOf(rowOf(sql, id));

const load = (sql: Prepare, id: string): LoadedTask => ({ task: find(sql, id), ...loadFrom(sql, TASKS, id) });

/** Keeps entries that still exist. If they were removed with the row, one entry records their final state. */
function restore(sql: Prepare, lost: readonly LostTask[], by: string, atMs: number): void {
  const tasks = lost.map(({ task }) => task);
  writeTasks(sql, tasks, atMs);
  for (const { task, state } of lost) {
    const { id } = task;
    if (loadFrom(sql, TASKS, id).seq === 0) {
      forgetEntries(sql, TASKS, id, 0);
      begin(sql, TASKS, { id, events: [{ type: "task.restored", by, state }], atMs });
    }
    reproject(sql, rowOf(sql, id));
  }
  recount(sql);
}

/** Derives the dependency table and its counts from the tasks' own columns. */
function recount(sql: Prepare): void {
  for (const text of [SQL.forgetNeeds, SQL.insertNeeds, SQL.countAllDependants, SQL.countAllOpen]) sql(text).run();
}

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

function update(sql: Prepare, id: string, change: TaskChange, atMs: number): Task {
  if (Object.keys(change).length > 0) writeTaskChange(sql, find(sql, id), change, atMs);
  return find(sql, id);
}

function updateAll({ sql, calm }: Connection, changes: readonly WrittenChange[], atMs: number): Task[] {
  for (const { id, change, written } of changes) {
    // The entries first: an interrupted task can be changed once it is back at todo.
    if (written) append(sql, TASKS, { calm, ...written });
    update(sql, id, change, atMs);
  }
  return changes.map(({ id }) => find(sql, id));
}

function remove(sql: Prepare, id: string): void {
  const task = find(sql, id);
  const { state } = loadFrom(sql, TASKS, id);
  const neededBy = sql(SQL.neededBy)
    .all({ id })
    .map((row) => String(row.task));
  if (neededBy.length > 0) throw neededTask(id, neededBy);
  if (isBegun(task)) throw begunTask(id, task.status);
  if (state.work && !state.merged) throw unmergedTask(id, state.work.branch);
  for (const needs of task.dependencies) forgetNeed(sql, id, needs);
  forgetEntries(sql, TASKS, id, 0);
  sql(SQL.removeTask).run({ id });
}
