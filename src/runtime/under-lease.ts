import type { Workspace } from "../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../core/errors.ts";
import type { Lease } from "../core/lease.ts";
import type { Subject } from "../core/subject.ts";

/** Does `work` while no other process drives the subject, then releases the lease. Null: another process drives it. */
export async function underLease<T>(
  { leases }: Workspace,
  subject: Subject,
  work: (lease: Lease) => Promise<T>,
): Promise<T | null> {
  const lease = await leases.take(subject);
  return lease && releasing(lease, work);
}

/** Like `underLease`, but throws if another process drives the subject. */
export const underRequiredLease = async <T>(
  workspace: Workspace,
  subject: Subject,
  work: (lease: Lease) => Promise<T>,
): Promise<T> => releasing(await requireLease(workspace, subject), work);

async function releasing<T>(lease: Lease, work: (lease: Lease) => Promise<T>): Promise<T> {
  try {
    return await work(lease);
  } finally {
    lease.release();
  }
}

/** Takes the lease of a subject. Throws if another process has it. */
export async function requireLease(workspace: Workspace, subject: Subject): Promise<Lease> {
  const lease = await workspace.leases.take(subject);
  if (lease) return lease;
  const { kind, id } = subject;
  const holder = await holderOf(workspace, subject);
  throw new RalphError(`${kind}-held`, `${kind} ${id} is being driven${holder === "" ? "" : ` by ${holder}`}`, {
    hint: `\`ralph cancel ${id}\` stops it, \`${kind === "task" ? "ralph task show" : "ralph status"} ${id}\` shows it`,
    exitCode: EXIT.stopped,
  });
}

async function holderOf({ store, runs }: Workspace, { kind, id }: Subject): Promise<string> {
  if (kind === "task") return "";
  return (await (kind === "loop" ? store : runs).find(id)).holder;
}
