import { taskKind } from "../../core/task/kind.ts";
import { isBegun } from "../../core/task/task.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openLedger } from "../../engine/ledger.ts";
import { type Cancelled, cancelSubject } from "../../runtime/cancel.ts";
import { cancelLoopOf } from "../../runtime/cancel-loop.ts";

/** Cancels the work on a task, which goes back to todo and is held. `loop`: the loop that worked on it. */
export async function cancelTask(
  workspace: Workspace,
  id: string,
  by: string,
): Promise<Cancelled & { loop: string | null }> {
  const { tasks } = workspace;
  const { loop } = (await tasks.load(id)).state;
  const cancelled = await cancelSubject(
    workspace,
    { kind: "task", id },
    {
      by,
      untilReleased: true,
      async close(lease) {
        const { state, write } = openLedger(taskKind, await tasks.load(id), { now: Date.now, store: tasks, lease });
        if (!isBegun(state)) return false;
        if (state.loop !== null) await cancelLoopOf(workspace, state.loop, by);
        await write({ type: "task.cancelled", by });
        return true;
      },
      async isCancelled() {
        const { state } = await tasks.load(id);
        return isBegun(state) ? null : state.held;
      },
    },
  );
  return { ...cancelled, loop };
}
