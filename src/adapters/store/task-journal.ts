import { canBecome } from "../../core/task/decide.ts";
import type { TaskEntry, TaskEvent } from "../../core/task/events.ts";
import { reduceTask } from "../../core/task/reduce.ts";
import { NEW_TASK, type TaskState } from "../../core/task/state.ts";
import type { TaskStatus } from "../../core/task/task.ts";
import { badTransition, damagedTask, fencedTask } from "./task-errors.ts";
import type { LoadedRow } from "./task-rows.ts";
import { type Prepare, SQL } from "./task-statements.ts";

interface Standing {
  seq: number;
  state: TaskState;
}

/**
 * The last entry's number and the state after it. Always from the entries: the row beside them only serves lists, and
 * whoever writes into that decides nothing.
 */
export function standingOf(sql: Prepare, id: string): Standing {
  let standing: Standing = { seq: 0, state: NEW_TASK };
  for (const { seq, event } of entriesOf(sql, id)) {
    if (seq !== standing.seq + 1) throw damagedTask(id, standing.seq + 1);
    standing = { seq, state: reduceTask(standing.state, event) };
  }
  return standing;
}

/** Whether a row says what follows from its journal. */
export function isProjected(sql: Prepare, row: LoadedRow): boolean {
  const { seq, state } = standingOf(sql, row.id);
  if (row.seq > seq) throw damagedTask(row.id, seq + 1);
  const { status, held } = columnsOf(state);
  return row.seq === seq && row.status === status && row.held === held;
}

/** Sets the columns right that follow from the journal; the status that was there, where the row said something else. */
export function reproject(sql: Prepare, row: LoadedRow): TaskStatus | null {
  const isRight = isProjected(sql, row);
  const { seq, state } = standingOf(sql, row.id);
  sql(SQL.reproject).run({ id: row.id, seq, ...columnsOf(state) });
  sql(SQL.countOpen).run({ id: row.id });
  const by = Number(row.status === "done") - Number(state.status === "done");
  if (by !== 0) sql(SQL.countOpenDependants).run({ id: row.id });
  return isRight ? null : row.status;
}

/** The entries, page by page. */
function* entriesOf(sql: Prepare, task: string): Generator<TaskEntry> {
  for (let after = 0; ; ) {
    const page = pageOf(sql, task, after);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

export function pageOf(sql: Prepare, task: string, after: number): TaskEntry[] {
  const rows = sql(SQL.entries).all({ task, after }) as unknown as { seq: number; at_ms: number; event: string }[];
  return rows.map(({ seq, at_ms, event }) => ({ task, seq, atMs: at_ms, event: JSON.parse(event) }));
}

interface Writing {
  seq: number;
  events: readonly TaskEvent[];
  state: TaskState;
  atMs: number;
}

/** Entries, what follows from the state, and what being done means for those that wait for it. */
export function writeEvents(sql: Prepare, id: string, before: Standing, { seq, events, state, atMs }: Writing): void {
  if (before.seq !== seq) throw fencedTask(id);
  if (events.length === 0) return;
  checkSteps(id, before.state, events, state.status);
  const last = seq + events.length;
  const loop = events.findLast((event) => event.type === "stage.began")?.loop ?? null;
  sql(SQL.append).run({ id, seq: last, loop, at_ms: atMs, ...columnsOf(state) });
  for (const [i, event] of events.entries()) {
    sql(SQL.insertEntry).run({ task: id, seq: seq + 1 + i, at_ms: atMs, event: JSON.stringify(event) });
  }
  const by = Number(before.state.status === "done") - Number(state.status === "done");
  if (by !== 0) sql(SQL.openDependants).run({ id, by });
}

function checkSteps(id: string, from: TaskState, events: readonly TaskEvent[], to: TaskStatus): void {
  let state = from;
  for (const event of events) {
    const next = reduceTask(state, event);
    if (!canBecome(state.status, next.status)) throw badTransition(id, state.status, next.status);
    state = next;
  }
  if (state.status !== to) throw new Error(`task ${id}: its entries make it ${state.status}, not ${to}`);
}

const columnsOf = (state: TaskState) => ({
  status: state.status,
  held: state.held ? 1 : 0,
  at_hand: state.loop === null || state.status === "todo" || state.status === "done" ? 0 : 1,
  failure: state.failure === null ? null : JSON.stringify(state.failure),
  state: JSON.stringify(state),
});
