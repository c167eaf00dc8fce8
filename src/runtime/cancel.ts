import type { Workspace } from "../adapters/store/workspace.ts";
import type { Lease } from "../core/store.ts";
import type { Subject } from "../core/subject.ts";

const LOOK_MS = 50;
/** How long a driver may take to end its agents before that is reported; it does so all the same. */
const PATIENCE_MS = 20_000;

/** `idle`: there was nothing to cancel. `asked`: its driver is still ending its agents. */
export interface Cancelled {
  is: "cancelled" | "idle" | "asked";
  wasDriven: boolean;
}

export interface Cancelling {
  by: string;
  /** Closes the journal of a subject that no process drives; false: there is nothing to cancel. Releases the lease. */
  close(lease: Lease): Promise<boolean>;
  /** What the journal says: null while the subject is at work, else whether it was cancelled. */
  isCancelled(): Promise<boolean | null>;
  /** Whether to wait until its driver has cleaned up, too. */
  untilReleased?: boolean;
  patienceMs?: number;
}

/** Cancels a subject: its driver is asked to, and where none is alive its journal is closed here. */
export async function cancelSubject(
  workspace: Workspace,
  subject: Subject,
  { by, close, isCancelled, untilReleased = false, patienceMs = PATIENCE_MS }: Cancelling,
): Promise<Cancelled> {
  const look = async (wasDriven: boolean): Promise<Cancelled | null> => {
    const lease = await workspace.leases.take(subject);
    // Read under the lease: what comes to its end by itself at this moment keeps its own reason.
    if (lease && (await close(lease))) return { is: "cancelled", wasDriven };
    const cancelled = lease || !untilReleased ? await isCancelled() : null;
    if (cancelled === null && !lease) return null;
    return { is: wasDriven && cancelled ? "cancelled" : "idle", wasDriven };
  };
  const undriven = await look(false);
  if (undriven) return undriven;
  await workspace.store.request(subject, { command: "cancel", by }, Date.now());
  for (const giveUpMs = Date.now() + patienceMs; Date.now() < giveUpMs; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    // A driver that was asked may die before it obeys, or finish meanwhile.
    const over = await look(true);
    if (over) return over;
  }
  return { is: "asked", wasDriven: true };
}
