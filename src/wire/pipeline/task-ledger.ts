import type { TaskEvent } from "../../core/task/events.ts";
import { reduceTask } from "../../core/task/reduce.ts";
import type { TaskState } from "../../core/task/state.ts";
import type { LoadedTask, TaskStore } from "../../core/task/store.ts";
import type { Task } from "../../core/task/task.ts";

/** A task in the hands of whoever works on it: nothing happens to it that is not written down first. */
export interface TaskLedger {
  readonly task: Task;
  readonly state: TaskState;
  /** Writes facts down, in one transaction. */
  note(...events: readonly TaskEvent[]): Promise<void>;
}

/** Told of every fact once it is durable. */
export type Told = (event: TaskEvent, state: TaskState) => void;

export function openLedger(tasks: TaskStore, loaded: LoadedTask, told: Told): TaskLedger {
  let { task, state, seq } = loaded;
  return {
    get task() {
      return task;
    },
    get state() {
      return state;
    },
    async note(...events) {
      const after = events.reduce(reduceTask, state);
      ({ task, seq } = await tasks.append(task.id, seq, events, after, Date.now()));
      for (const event of events) {
        state = reduceTask(state, event);
        told(event, state);
      }
    },
  };
}
