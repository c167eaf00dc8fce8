import type { Workspace } from "../adapters/store/workspace.ts";
import { RalphError } from "../core/errors.ts";
import type { Lease } from "../core/lease.ts";
import type { Limits } from "../core/loop/spec.ts";
import { stopControl } from "../engine/stop-control.ts";
import { type Cancelled, cancelSubject } from "./cancel.ts";
import { followChanges } from "./drive-loop.ts";
import { type LoopWatcher, UNSEEN } from "./loop-watcher.ts";
import { adoptLoop } from "./run-loop.ts";
import { underLease } from "./under-lease.ts";

interface CancelLoop {
  by: string;
  view?: LoopWatcher;
  /** How long its driver may take, if there is one. */
  patienceMs?: number;
}

/** Cancels a loop. */
export const cancelLoop = (workspace: Workspace, id: string, request: CancelLoop): Promise<Cancelled> =>
  cancelSubject(
    workspace,
    { kind: "loop", id },
    {
      ...request,
      close: (lease) => closeLoop({ workspace, id, lease }, request),
      async isCancelled() {
        const { stopped } = (await workspace.store.glance(id)).state;
        return stopped && stopped.reason === "cancelled";
      },
    },
  );

/** Cancels the loop of a task or run whose lease the caller has, so no other process drives the loop. */
export async function cancelLoopOf(workspace: Workspace, id: string, by: string): Promise<void> {
  const close = (lease: Lease) => closeLoop({ workspace, id, lease }, { by });
  await underLease(workspace, { kind: "loop", id }, close).catch((error: unknown) => {
    // The driver died after writing the journal of the task or run, and before creating the loop.
    if (!(error instanceof RalphError) || error.code !== "loop-unknown") throw error;
  });
}

interface UndrivenLoop {
  workspace: Workspace;
  id: string;
  lease: Lease;
}

async function closeLoop({ workspace, id, lease }: UndrivenLoop, { by, view = UNSEEN }: CancelLoop): Promise<boolean> {
  if ((await workspace.store.glance(id)).state.stopped) return false;
  const stops = stopControl();
  stops.ask({ as: "cancelled", by });
  const unchanged = { limits: (same: Limits) => same, acceptChanges: false, look: false };
  await followChanges(await adoptLoop({ workspace, stops, view }, id, { ...unchanged, lease }));
  return true;
}
