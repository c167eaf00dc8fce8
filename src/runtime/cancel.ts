import type { Lease } from "../core/lease.ts";
import type { StopRequest } from "../core/loop/events.ts";
import type { Subject } from "../core/subject.ts";
import type { Workspace } from "../core/workspace.ts";
import { underLease } from "./under-lease.ts";

const LOOK_MS = 50;
/** How long to wait for a driver to end its agents; after that, the cancellation is reported as requested. */
export const PATIENCE_MS = 20_000;

interface Stopping<T> {
  request: StopRequest;
  patienceMs: number;
  /** Stops the subject if no driver is alive. Null if the driver has not stopped it yet. */
  look(wasDriven: boolean): Promise<T | null>;
}

/** Stops a subject: asks its driver, or does it here if no driver is alive. Null if the driver takes too long. */
export async function stopSubject<T>(
  { inbox }: Workspace,
  subject: Subject,
  { request, patienceMs, look }: Stopping<T>,
): Promise<T | null> {
  const giveUpMs = Date.now() + patienceMs;
  const undriven = await look(false);
  if (undriven) return undriven;
  await inbox.request(subject, request, Date.now());
  while (Date.now() < giveUpMs) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    // The driver may die before it handles the request, or finish meanwhile.
    const over = await look(true);
    if (over) return over;
  }
  return null;
}

/** `idle`: nothing to cancel. `asked`: the driver is still ending its agents. */
export interface Cancelled {
  is: "cancelled" | "idle" | "asked";
  wasDriven: boolean;
}

interface Cancelling {
  by: string;
  /** Closes the journal of an undriven subject. False if there is nothing to cancel. */
  close(lease: Lease): Promise<boolean>;
  /** Reads the journal: null while the subject is running, otherwise whether it was cancelled. */
  isCancelled(): Promise<boolean | null>;
  /** Whether to wait until the driver has cleaned up, too. */
  untilReleased?: boolean;
  patienceMs?: number | undefined;
}

/** Cancels a subject. */
export async function cancelSubject(
  workspace: Workspace,
  subject: Subject,
  { by, close, isCancelled, untilReleased = false, patienceMs = PATIENCE_MS }: Cancelling,
): Promise<Cancelled> {
  const look = async (wasDriven: boolean): Promise<Cancelled | null> => {
    // Read under the lease: a subject that just ended by itself keeps its own reason.
    const closed = await underLease(workspace, subject, close);
    if (closed) return { is: "cancelled", wasDriven };
    const isHeld = closed === null;
    const cancelled = isHeld && untilReleased ? null : await isCancelled();
    if (cancelled === null && isHeld) return null;
    return { is: wasDriven && cancelled ? "cancelled" : "idle", wasDriven };
  };
  const request = { as: "cancelled", by } as const;
  return (await stopSubject(workspace, subject, { request, patienceMs, look })) ?? { is: "asked", wasDriven: true };
}
