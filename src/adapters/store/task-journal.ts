import { EXIT } from "../../core/errors.ts";
import { type TaskTypes, taskKind } from "../../core/task/kind.ts";
import type { TaskState } from "../../core/task/state.ts";
import type { TaskStatus } from "../../core/task/task.ts";
import { rowAt } from "./cells.ts";
import { loadFrom } from "./journal.ts";
import type { Prepare } from "./statements.ts";
import type { Table } from "./table.ts";
import { unknownTask } from "./task-errors.ts";
import type { ProjectedRow } from "./task-rows.ts";
import { SQL } from "./task-statements.ts";

/** The rows of tasks. Other programs may change them: only the journal counts, and the row serves lists. */
export const TASKS: Table<TaskTypes> = {
  kind: taskKind,
  sealed: [],
  row: (sql, id) => rowAt(sql(SQL.seq), id),
  project(sql, { id, seq, entries, state }) {
    const loop = entries.map(({ event }) => event).findLast((event) => event.type === "stage.began")?.loop ?? null;
    const at_ms = entries.at(-1)?.atMs ?? null;
    const { changes } = sql(SQL.project).run({ id, seq, loop, at_ms, ...columnsOf(state) });
    // A finished task unlocks its dependants.
    if (state.status === "done") sql(SQL.countOpenDependants).run({ id });
    return Number(changes) === 1 ? {} : null;
  },
  putBack: null,
  damage: ({ seq }, row) => (Number(row.seq) > seq ? { entry: seq + 1, what: "it is missing" } : null),
  unknown(sql, id) {
    const rows = sql(SQL.taskIds).all();
    const ids = rows.map((row) => String(row.id));
    return unknownTask(id, ids);
  },
  see: (id) => `ralph task show ${id}`,
  why: (id) => `ralph task show ${id}`,
  afterDamage: () => ({
    hint: "it cannot be used: `ralph task export` saves its content, `ralph task create --file` creates it again under another id",
    exitCode: EXIT.stopped,
  }),
};

/** Whether a row matches its journal. */
export function isProjected(sql: Prepare, row: ProjectedRow): boolean {
  const { seq, state } = loadFrom(sql, TASKS, row.id);
  const { status, held } = columnsOf(state);
  return row.seq === seq && row.status === status && row.held === held;
}

/** Corrects the columns that derive from the journal. Returns the wrong status, or null if the row was right. */
export function reproject(sql: Prepare, row: ProjectedRow): TaskStatus | null {
  const isRight = isProjected(sql, row);
  const { seq, state } = loadFrom(sql, TASKS, row.id);
  sql(SQL.project).run({ id: row.id, seq, loop: null, at_ms: null, ...columnsOf(state) });
  sql(SQL.countOpen).run({ id: row.id });
  if ((row.status === "done") !== (state.status === "done")) sql(SQL.countOpenDependants).run({ id: row.id });
  return isRight ? null : row.status;
}

const columnsOf = (state: TaskState) => ({
  status: state.status,
  held: state.held ? 1 : 0,
  at_hand: state.loop === null || state.status === "todo" || state.status === "done" ? 0 : 1,
  failure: state.failure === null ? null : JSON.stringify(state.failure),
  proof: state.proof,
});
