import { RalphError } from "../../core/errors.ts";
import type { TaskEvent } from "../../core/task/events.ts";
import { type TaskTypes, taskKind } from "../../core/task/kind.ts";
import type { TaskState } from "../../core/task/state.ts";
import type { LoadedTask, TaskStore } from "../../core/task/store.ts";
import type { Task } from "../../core/task/task.ts";
import { type Ledger, type LedgerPorts, openLedger } from "../../engine/ledger.ts";

/** A task in work: nothing happens to it that is not written down first. */
export interface TaskLedger extends Pick<Ledger<TaskTypes>, "state"> {
  readonly task: Task;
  /** Writes facts down, in one transaction. */
  write(...events: readonly TaskEvent[]): Promise<void>;
}

/** Called for every fact once it is durable. */
export type Told = (event: TaskEvent, state: TaskState) => void;

export interface Taking extends Required<Pick<LedgerPorts<TaskTypes>, "lease">> {
  tasks: TaskStore;
  loaded: LoadedTask;
  /** When its lease was wanted: requests from before were for its driver of then. */
  takenMs: number;
  holder: string;
  told: Told;
  /** The task as it was pinned, whatever its row says by now. */
  pinned(task: Task): Task;
}

/** Takes a task over: its driver before, if it is still alive, writes nothing about it any more. */
export async function takeTask(
  { tasks, loaded, lease, takenMs, holder, told, pinned }: Taking,
  taken: TaskEvent & { type: "task.taken" },
): Promise<TaskLedger> {
  const { id } = loaded;
  let task = pinned(loaded.task);
  const open = (from: Parameters<typeof openLedger<TaskTypes>>[1]) =>
    openLedger(taskKind, from, { now: Date.now, store: tasks, lease });
  let ledger = open(loaded);
  /** A task in work whose row was removed loses nothing. */
  const restored = async <T>(work: () => Promise<T>): Promise<T> => {
    const { state } = ledger;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "task-unknown") throw error;
      await tasks.restore([{ task, state }], "ralph execute", Date.now());
      ledger = open(await tasks.load(id));
      return work();
    }
  };
  ledger = open(await restored(() => tasks.adopt(id, taken, takenMs, holder)));
  told(taken, ledger.state);
  return {
    get task() {
      return task;
    },
    get state() {
      return ledger.state;
    },
    async write(...events) {
      const changes = await restored(() => ledger.write(...events));
      task = pinned(await tasks.find(id));
      for (const { entry, after } of changes) told(entry.event, after);
    },
  };
}
