import { circleFrom } from "../../core/task/circle.ts";
import { isBegun, isId, type NewTask, type Spec, type Task, type TaskChange } from "../../core/task/task.ts";
import type { Prepare } from "./statements.ts";
import { badId, begunTask, circle, givenTwice, missingDependencies, sameButCase, takenId } from "./task-errors.ts";
import { columnsOfTask } from "./task-rows.ts";
import { SQL } from "./task-statements.ts";

/** Writes a spec. Replaces one that only a task has named so far. */
export function writeSpec(sql: Prepare, spec: Omit<Spec, "createdAtMs">, atMs: number): void {
  if (!isId(spec.id)) throw badId("spec", spec.id);
  const { id, title, content } = spec;
  const row = sql(SQL.specNamed).get({ id });
  if (!row) sql(SQL.insertSpec).run({ id, title, content, implied: 0, created_at_ms: atMs });
  else if (row.id !== id) throw sameButCase("spec", id, String(row.id));
  else if (Number(sql(SQL.takeOverSpec).run({ id, title, content }).changes) === 0) throw takenId("spec", [id]);
}

/** Writes all tasks, or throws what prevents it. Returns the specs that had to be created. */
export function writeTasks(sql: Prepare, given: readonly NewTask[], atMs: number): string[] {
  const tasks = given.map((task) => ({ ...task, dependencies: [...new Set(task.dependencies)] }));
  refuseIds(sql, tasks);
  const inBatch = new Map(tasks.map((task) => [task.id, task]));
  const dependants = new Map<string, number>();
  for (const needs of tasks.flatMap((task) => task.dependencies))
    dependants.set(needs, (dependants.get(needs) ?? 0) + 1);
  const outside = [...dependants.keys()].filter((id) => !inBatch.has(id));
  const others = standingsOf(sql, outside);
  refuseMissing(tasks, (id) => inBatch.has(id) || others.has(id));
  // Existing tasks cannot depend on tasks that are only created now.
  const found = circleFrom(inBatch.keys(), (id) => inBatch.get(id)?.dependencies ?? []);
  if (found) throw circle(found);
  const made = [...new Set(tasks.map(({ specId }) => specId))].filter((id) => implySpec(sql, id, atMs));
  for (const task of tasks) {
    const open = task.dependencies.filter((id) => others.get(id) !== "done").length;
    const counted = { open, dependants: dependants.get(task.id) ?? 0 };
    sql(SQL.insertTask).run({ id: task.id, spec: task.specId, ...columnsOfTask(task), ...counted, at_ms: atMs });
    for (const needs of task.dependencies) sql(SQL.insertNeed).run({ needs, task: task.id });
  }
  for (const id of others.keys()) sql(SQL.countDependants).run({ id, by: dependants.get(id) ?? 0 });
  return made;
}

function refuseIds(sql: Prepare, tasks: readonly NewTask[]): void {
  const byName = new Map<string, string>();
  const [twice, taken]: [string[], string[]] = [[], []];
  for (const { id, specId } of tasks) {
    if (!isId(id)) throw badId("task", id);
    if (!isId(specId)) throw badId("spec", specId);
    const same = byName.get(id.toLowerCase());
    if (same === id) twice.push(id);
    else if (same !== undefined) throw sameButCase("task", id, same);
    byName.set(id.toLowerCase(), id);
    const row = sql(SQL.taskNamed).get({ id });
    if (row?.id === id) taken.push(id);
    else if (row) throw sameButCase("task", id, String(row.id));
  }
  if (twice.length > 0) throw givenTwice([...new Set(twice)]);
  if (taken.length > 0) throw takenId("task", taken);
}

function refuseMissing(tasks: readonly Pick<NewTask, "id" | "dependencies">[], isThere: (id: string) => boolean): void {
  const missing = tasks.flatMap(({ id, dependencies }) =>
    dependencies.filter((needs) => !isThere(needs)).map((needs) => ({ task: id, needs })),
  );
  if (missing.length > 0) throw missingDependencies(missing);
}

function standingsOf(sql: Prepare, ids: readonly string[]): Map<string, string> {
  const rows = ids.map((id) => [id, sql(SQL.needs).get({ id })] as const);
  return new Map(rows.flatMap(([id, row]) => (row ? [[id, String(row.status)] as const] : [])));
}

function implySpec(sql: Prepare, id: string, atMs: number): boolean {
  const row = sql(SQL.specNamed).get({ id });
  if (row && row.id !== id) throw sameButCase("spec", id, String(row.id));
  if (!row) sql(SQL.insertSpec).run({ id, title: id, content: "", implied: 1, created_at_ms: atMs });
  return !row;
}

/** Agents work towards these fields, so they cannot change while an agent works. */
const SETTLED = ["title", "description", "dependencies", "completionSpec"] as const;

/** Writes a change of a task and updates the counts of other tasks. */
export function writeTaskChange(sql: Prepare, task: Task, change: TaskChange, atMs: number): void {
  if (isBegun(task) && SETTLED.some((key) => key in change)) throw begunTask(task.id, task.status);
  const { id } = task;
  const changed = { ...task, ...change, dependencies: [...new Set(change.dependencies ?? task.dependencies)] };
  sql(SQL.updateTask).run({ id, ...columnsOfTask(changed), at_ms: atMs });
  if (!change.dependencies) return;
  refuseMissing([changed], (needs) => sql(SQL.needs).get({ id: needs }) !== undefined);
  const found = circleFrom([id], (of) => needsOf(sql, of));
  if (found) throw circle(found);
  for (const needs of task.dependencies.filter((old) => !changed.dependencies.includes(old)))
    forgetNeed(sql, id, needs);
  for (const needs of changed.dependencies.filter((one) => !task.dependencies.includes(one))) {
    sql(SQL.insertNeed).run({ needs, task: id });
    sql(SQL.countDependants).run({ id: needs, by: 1 });
  }
  sql(SQL.countOpen).run({ id });
}

export function forgetNeed(sql: Prepare, task: string, needs: string): void {
  sql(SQL.removeNeed).run({ needs, task });
  sql(SQL.countDependants).run({ id: needs, by: -1 });
}

const needsOf = (sql: Prepare, id: string): string[] =>
  JSON.parse(String(sql(SQL.needs).get({ id })?.dependencies ?? "[]"));
