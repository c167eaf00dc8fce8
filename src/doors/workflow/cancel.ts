import { runKind } from "../../core/workflow/kind.ts";
import { ENDED } from "../../core/workflow/state.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openLedger } from "../../engine/ledger.ts";
import { type Cancelled, cancelSubject } from "../../runtime/cancel.ts";
import { cancelLoopOf } from "../../runtime/run-loop.ts";

/** Cancels a run, with its loops. */
export const cancelRun = (workspace: Workspace, id: string, by: string): Promise<Cancelled> =>
  cancelSubject(
    workspace,
    { kind: "run", id },
    {
      by,
      async close(lease) {
        const { runs } = workspace;
        try {
          const run = await runs.load(id);
          if (ENDED.has(run.state.status)) return false;
          for (const { loop, ended } of run.state.lanes) {
            if (loop !== null && !ended) await cancelLoopOf(workspace, loop, by);
          }
          const event = { type: "run.ended", status: "cancelled", detail: `by ${by}` } as const;
          await openLedger(runKind, run, { now: Date.now, store: runs, lease }).write(event);
          return true;
        } finally {
          lease.release();
        }
      },
      async isCancelled() {
        const { status } = (await workspace.runs.glance(id)).state;
        return ENDED.has(status) ? status === "cancelled" : null;
      },
    },
  );
