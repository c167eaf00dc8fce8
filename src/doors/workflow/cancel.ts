import { forgetRunRequests, runInbox, takeRun } from "../../adapters/store/run-lease.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import { ENDED } from "../../core/workflow/state.ts";
import { cancelUndriven } from "../../runtime/run-loop.ts";

const LOOK_MS = 50;
/** How long a driver may take to end its agents before we say so; it goes on all the same. */
const PATIENCE_MS = 20_000;

/** `idle`: it had ended. `asked`: its driver is still ending its agents. */
interface CancelledRun {
  is: "cancelled" | "idle" | "asked";
}

/** Cancels a run: whoever drives it is asked; where nobody does, it is closed here. */
export async function cancelRun(workspace: Workspace, id: string, by: string): Promise<CancelledRun> {
  const isDone = await cancelHere(workspace, id, by);
  if (isDone !== null) return { is: isDone ? "cancelled" : "idle" };
  await workspace.store.request(runInbox(id), { command: "cancel", by }, Date.now());
  for (const giveUpMs = Date.now() + PATIENCE_MS; Date.now() < giveUpMs; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const { status } = (await workspace.runs.load(id)).state;
    if (ENDED.has(status)) return { is: status === "cancelled" ? "cancelled" : "idle" };
    // A driver that was asked may die, or leave it to somebody else, before it obeys.
    // One that has obeyed by now is seen at the next look.
    if (await cancelHere(workspace, id, by)) return { is: "cancelled" };
  }
  return { is: "asked" };
}

/** Null: somebody drives it. False: there is nothing to cancel. */
async function cancelHere(workspace: Workspace, id: string, by: string): Promise<boolean | null> {
  const lease = await takeRun(workspace, id);
  if (!lease) return null;
  try {
    const run = await workspace.runs.load(id);
    if (ENDED.has(run.state.status)) return false;
    for (const { loop, ended } of run.state.lanes) {
      if (loop !== null && !ended) await cancelUndriven(workspace, loop, by).catch(noLoopYet);
    }
    const event = { type: "run.ended", status: "cancelled", detail: `by ${by}` } as const;
    await workspace.runs.append(run, [event], Date.now());
    await forgetRunRequests(workspace, id);
    return true;
  } finally {
    lease.release();
  }
}

/** Its driver died between the run's journal and the loop's. */
function noLoopYet(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "loop-unknown") return null;
  throw error;
}
