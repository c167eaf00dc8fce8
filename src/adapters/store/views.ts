import type { Level } from "../../core/proof/level.ts";
import { proofOf } from "../../core/proof/shown.ts";
import type { LoopSummary } from "../../core/store.ts";
import type { Workspace } from "./workspace.ts";

/** A loop in a list, with whether anybody drives it just now, or has it in a session, and what proves it. */
export interface LoopView extends LoopSummary {
  held: boolean;
  /** The level of a loop that was completed. */
  proof: Level | null;
}

/** Asks the lease, not the journal: a driver that was killed could not write that it is gone. */
export async function withHolder({ leases }: Workspace, loop: LoopSummary): Promise<LoopView> {
  const shown = { ...loop, proof: proofOf(loop.reason) };
  if (loop.status === "stopped") return { ...shown, held: false };
  // No process drives it while its host's agent works, or waits for a person.
  if (loop.driver === "host") return { ...shown, held: true };
  return { ...shown, held: await leases.isTaken({ kind: "loop", id: loop.id }) };
}

export const withHolders = (workspace: Workspace, loops: readonly LoopSummary[]): Promise<LoopView[]> =>
  Promise.all(loops.map((loop) => withHolder(workspace, loop)));
