import type { LoopSummary } from "../core/store.ts";
import { takeLease } from "../store/lease.ts";
import type { Workspace } from "./workspace.ts";

/** A loop in a list, with whether anybody drives it just now. */
export interface LoopView extends LoopSummary {
  held: boolean;
}

/** Asks the lease, not the journal: a driver that was killed could not write that it is gone. */
export async function withHolder({ folder }: Workspace, loop: LoopSummary): Promise<LoopView> {
  if (loop.status === "stopped") return { ...loop, held: false };
  const lease = await takeLease(folder.leases, loop.id);
  lease?.release();
  return { ...loop, held: lease === null };
}

export const withHolders = (workspace: Workspace, loops: readonly LoopSummary[]): Promise<LoopView[]> =>
  Promise.all(loops.map((loop) => withHolder(workspace, loop)));
