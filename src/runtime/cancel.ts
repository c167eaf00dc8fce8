import type { Workspace } from "../adapters/store/workspace.ts";
import type { Lease } from "../core/lease.ts";
import type { Subject } from "../core/subject.ts";

const LOOK_MS = 50;
/** How long to wait for a driver to end its agents; after that, the cancellation is reported as requested. */
const PATIENCE_MS = 20_000;

/** `idle`: nothing to cancel. `asked`: the driver is still ending its agents. */
export interface Cancelled {
  is: "cancelled" | "idle" | "asked";
  wasDriven: boolean;
}

export interface Cancelling {
  by: string;
  /** Closes the journal of an undriven subject and releases the lease. False if there is nothing to cancel. */
  close(lease: Lease): Promise<boolean>;
  /** Reads the journal: null while the subject is running, otherwise whether it was cancelled. */
  isCancelled(): Promise<boolean | null>;
  /** Whether to wait until the driver has cleaned up, too. */
  untilReleased?: boolean;
  patienceMs?: number;
}

/** Cancels a subject: asks its driver, or closes the journal here if no driver is alive. */
export async function cancelSubject(
  workspace: Workspace,
  subject: Subject,
  { by, close, isCancelled, untilReleased = false, patienceMs = PATIENCE_MS }: Cancelling,
): Promise<Cancelled> {
  const look = async (wasDriven: boolean): Promise<Cancelled | null> => {
    const lease = await workspace.leases.take(subject);
    // Read under the lease: a subject that just ended by itself keeps its own reason.
    if (lease && (await close(lease))) return { is: "cancelled", wasDriven };
    const cancelled = lease || !untilReleased ? await isCancelled() : null;
    if (cancelled === null && !lease) return null;
    return { is: wasDriven && cancelled ? "cancelled" : "idle", wasDriven };
  };
  const undriven = await look(false);
  if (undriven) return undriven;
  await workspace.inbox.request(subject, { command: "cancel", by }, Date.now());
  for (const giveUpMs = Date.now() + patienceMs; Date.now() < giveUpMs; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    // The driver may die before it handles the request, or finish meanwhile.
    const over = await look(true);
    if (over) return over;
  }
  return { is: "asked", wasDriven: true };
}
