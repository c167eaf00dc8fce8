import { takeTask, taskInbox } from "../../adapters/store/task-lease.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import { reduceTask } from "../../core/task/reduce.ts";
import { isBegun } from "../../core/task/task.ts";
import { cancelUndriven } from "../../runtime/run-loop.ts";

const LOOK_MS = 50;
/** How long a driver may take to end its agent before we say so; it goes on all the same. */
const PATIENCE_MS = 20_000;

interface CancelledTask {
  /** `idle`: nobody was at work on it. `asked`: its driver is still ending its agent. */
  is: "cancelled" | "idle" | "asked";
  /** The loop that it was in. */
  loop: string | null;
}

/** Cancels the work on a task: back to todo, and held there. Whoever drives it is asked; where nobody does, it is done here. */
export async function cancelTask(workspace: Workspace, id: string, by: string): Promise<CancelledTask> {
  const { loop } = (await workspace.tasks.load(id)).state;
  const isDone = await cancelHere(workspace, id, by);
  if (isDone !== null) return { is: isDone ? "cancelled" : "idle", loop };
  await workspace.store.request(taskInbox(id), { command: "cancel", by }, Date.now());
  for (const giveUpMs = Date.now() + PATIENCE_MS; Date.now() < giveUpMs; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    // A driver that was asked may die before it obeys, or may have finished the task meanwhile.
    const ended = await cancelHere(workspace, id, by);
    if (ended !== null) return { is: ended || (await isHeld(workspace, id)) ? "cancelled" : "idle", loop };
  }
  return { is: "asked", loop };
}

const isHeld = async ({ tasks }: Workspace, id: string): Promise<boolean> => (await tasks.find(id)).held;

/** Null: somebody drives it. False: there is nothing to cancel. */
async function cancelHere(workspace: Workspace, id: string, by: string): Promise<boolean | null> {
  const lease = await takeTask(workspace, id);
  if (!lease) return null;
  try {
    const { seq, state } = await workspace.tasks.load(id);
    if (!isBegun(state)) return false;
    if (state.loop !== null) await cancelUndriven(workspace, state.loop, by).catch(noLoopYet);
    const event = { type: "task.cancelled", by } as const;
    await workspace.tasks.append(id, seq, [event], reduceTask(state, event), Date.now());
    return true;
  } finally {
    lease.release();
  }
}

/** Its driver died between the task's journal and the loop's. */
function noLoopYet(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "loop-unknown") return null;
  throw error;
}
