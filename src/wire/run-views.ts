import { ENDED } from "../core/workflow/state.ts";
import type { RunSummary } from "../core/workflow/store.ts";
import { takeLease } from "../store/lease.ts";
import type { Workspace } from "./workspace.ts";

/** A run in a list, with whether anybody drives it just now. */
export interface HeldRun extends RunSummary {
  held: boolean;
}

/** Asks the lease, not the journal: a driver that was killed could not write that it is gone. */
export async function withRunHolder({ folder }: Workspace, run: RunSummary): Promise<HeldRun> {
  if (ENDED.has(run.status) || run.holder === "") return { ...run, held: false };
  const lease = await takeLease(folder.leases, `run-${run.id}`);
  lease?.release();
  return { ...run, held: lease === null };
}

export const withRunHolders = (workspace: Workspace, runs: readonly RunSummary[]): Promise<HeldRun[]> =>
  Promise.all(runs.map((run) => withRunHolder(workspace, run)));
