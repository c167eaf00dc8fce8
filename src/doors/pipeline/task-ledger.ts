import { RalphError } from "../../core/errors.ts";
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

interface LedgerRequest {
  tasks: TaskStore;
  loaded: LoadedTask;
  told: Told;
  /** The task as it was pinned, whatever its row says by now. */
  pinned(task: Task): Task;
}

export function openLedger({ tasks, loaded, told, pinned }: LedgerRequest): TaskLedger {
  let { state, seq } = loaded;
  let task = pinned(loaded.task);
  /** Whoever removes the row of a task in work takes nothing from it. */
  const restore = async (error: unknown) => {
    if (!(error instanceof RalphError) || error.code !== "task-unknown") throw error;
    await tasks.restore([{ task, state }], "ralph execute", Date.now());
    ({ seq } = await tasks.load(task.id));
  };
  return {
    get task() {
      return task;
    },
    get state() {
      return state;
    },
    async note(...events) {
      const after = events.reduce(reduceTask, state);
      const write = () => tasks.append(task.id, seq, events, after, Date.now());
      const written = await write().catch(async (error: unknown) => {
        await restore(error);
        return write();
      });
      seq = written.seq;
      task = pinned(written.task);
      for (const event of events) {
        state = reduceTask(state, event);
        told(event, state);
      }
    },
  };
}
