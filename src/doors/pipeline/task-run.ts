import { RalphError } from "../../core/errors.ts";
import { decideTask, type TaskDecision } from "../../core/task/decide.ts";
import type { TaskEvent } from "../../core/task/events.ts";
import { type TaskTypes, taskKind } from "../../core/task/kind.ts";
import type { LoadedTask, TaskStore } from "../../core/task/store.ts";
import type { Task } from "../../core/task/task.ts";
import { type LedgerPorts, openLedger } from "../../engine/ledger.ts";
import { type TaskContext, type TaskEnd, type TaskLedger, workOf } from "./context.ts";
import { mergeTask, moveIn } from "./merge/merge-run.ts";
import { prepareTask } from "./prepare.ts";
import { isReady } from "./ready.ts";
import { runStage } from "./stage/stage-run.ts";

/** Works on a task until it is finished, cannot continue, or a stop is requested. */
export async function runTask(context: TaskContext): Promise<TaskEnd> {
  const { ledger, stops } = context;
  while (true) {
    const next = decideTask(ledger.state);
    // A merged task stays done, even if a stop was requested in the meantime.
    if (next.do === "rest" && next.as === "done") return next.as;
    const request = stops.request();
    if (request?.as === "cancelled") {
      await ledger.write({ type: "task.cancelled", by: request.by });
      return "held";
    }
    if (request) return "left";
    if (next.do === "rest") return next.as;
    const end = await perform(context, next);
    if (end) return end;
  }
}

/** Null: continue. */
async function perform(context: TaskContext, next: Exclude<TaskDecision, { do: "rest" }>): Promise<TaskEnd | null> {
  // Only a proven task needs no worktree; the user may have removed it.
  const needsWork = next.do !== "prepare" && next.do !== "move";
  if (needsWork && !(await isReady(context, workOf(context)))) return prepareTask(context);
  switch (next.do) {
    case "prepare":
      return prepareTask(context);
    case "stage":
      return runStage(context, next);
    case "merge":
      return mergeTask(context);
    case "move":
      return moveIn(context, next);
  }
}

interface Taking extends Required<Pick<LedgerPorts<TaskTypes>, "lease" | "onWritten">> {
  tasks: TaskStore;
  loaded: LoadedTask;
  /** When its lease was requested: earlier stop requests were for the previous driver. */
  takenMs: number;
  holder: string;
  /** The task with its pinned definition, whatever its row is now. */
  pinned(task: Task): Task;
}

/** Takes over a task. A previous driver that is still alive can no longer write to its journal. */
export async function takeTask(
  { tasks, loaded, lease, takenMs, holder, onWritten, pinned }: Taking,
  taken: TaskEvent & { type: "task.taken" },
): Promise<TaskLedger> {
  const { id } = loaded;
  let task = pinned(loaded.task);
  const open = (from: Parameters<typeof openLedger<TaskTypes>>[1]) =>
    openLedger(taskKind, from, { now: Date.now, store: tasks, lease, onWritten });
  let ledger = open(loaded);
  /** Restores the row of a task that was deleted during the work. */
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
  onWritten(taken, ledger.state);
  return {
    get task() {
      return task;
    },
    get state() {
      return ledger.state;
    },
    async write(...events) {
      await restored(() => ledger.write(...events));
      task = pinned(await tasks.find(id));
    },
  };
}
