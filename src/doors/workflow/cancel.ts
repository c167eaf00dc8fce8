import type { Workspace } from "../../adapters/store/workspace.ts";
import { runKind } from "../../core/workflow/kind.ts";
import { hasEnded } from "../../core/workflow/state.ts";
import { openLedger } from "../../engine/ledger.ts";
import { type Cancelled, cancelSubject } from "../../runtime/cancel.ts";
import { cancelLoopOf } from "../../runtime/cancel-loop.ts";

/** Cancels a run, with its loops. */
export const cancelRun = (workspace: Workspace, id: string, by: string): Promise<Cancelled> =>
  cancelSubject(
    workspace,
    { kind: "run", id },
    {
      by,
      async close(lease) {
        const { runs } = workspace;
        const { state, write } = openLedger(runKind, await runs.load(id), { now: Date.now, store: runs, lease });
        if (hasEnded(state.status)) return false;
        for (const { loop, ended } of state.lanes) {
          if (loop !== null && !ended) await cancelLoopOf(workspace, loop, by);
        }
        await write({ type: "run.ended", status: "cancelled", detail: `by ${by}` });
        return true;
      },
      async isCancelled() {
        const { status } = (await workspace.runs.glance(id)).state;
        return hasEnded(status) ? status === "cancelled" : null;
      },
    },
  );
