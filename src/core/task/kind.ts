import { RalphError } from "../errors.ts";
import { isTypeIn, type Kind } from "../subject.ts";
import { canBecome } from "./decide.ts";
import type { TaskEntry, TaskEvent } from "./events.ts";
import { reduceTask } from "./reduce.ts";
import { NEW_TASK, type TaskState } from "./state.ts";

/** The types of the journal of a task. */
export interface TaskTypes {
  event: TaskEvent;
  state: TaskState;
  entry: TaskEntry;
}

const EVENT_TYPES: Record<TaskEvent["type"], true> = {
  "task.taken": true,
  "work.prepared": true,
  "stage.began": true,
  "stage.ended": true,
  "work.updated": true,
  "merge.refused": true,
  "merge.proven": true,
  "task.merged": true,
  "merge.waits": true,
  "task.left": true,
  "task.blocked": true,
  "task.added": true,
  "task.proposed": true,
  "task.restored": true,
  "task.accepted": true,
  "task.cancelled": true,
  "task.retried": true,
  "task.restarted": true,
  "task.dropped": true,
};

/** The journal of a task. */
export const taskKind: Kind<TaskTypes> = {
  name: "task",
  start: NEW_TASK,
  reduce: (state, { event }) => reduceTask(state, event),
  entryOf: (task, at) => ({ task, ...at }),
  opening: null,
  adoption: "task.taken",
  isEvent: isTypeIn(EVENT_TYPES),
  upcast: (event) => event,
  isOver: ({ status }) => status === "done",
  answers: ({ event }) => event.type === "task.cancelled",
  refusal: (id, { before, after }) =>
    canBecome(before.status, after.status)
      ? null
      : new RalphError("task-transition", `task ${id} is ${before.status} and cannot become ${after.status}`, {
          hint: `see \`ralph task show ${id}\``,
        }),
  afterForeign: null,
  withoutOpening: (state) => state,
  withOpening: (state) => state,
};
