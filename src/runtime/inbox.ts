import { hostname } from "node:os";
import type { Workspace } from "../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../core/errors.ts";
import type { Holder } from "../core/holder.ts";
import { stopOf } from "../core/inbox.ts";
import type { Lease } from "../core/lease.ts";
import type { Subject } from "../core/subject.ts";
import type { StopControl } from "../engine/stop-control.ts";

export const ownHolder = (): Holder => ({ pid: process.pid, machine: hostname() });

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

/** Passes on the request of another process, if there is one. */
export async function takeRequest({ inbox }: Workspace, subject: Subject, stops: StopControl): Promise<void> {
  const [request] = await inbox.requests(subject);
  if (request && !stops.request()) stops.ask(stopOf(request));
}

const AGAIN_MS = 200;

/** Stops the driver of a subject when another process asks for it, or when its lease is lost. */
export function watchStops(
  workspace: Workspace,
  subject: Subject,
  { stops, lease }: { stops: StopControl; lease: Lease },
): { close(): void } {
  let isClosed = false;
  const look = async (): Promise<void> => {
    try {
      if (!isClosed) await takeRequest(workspace, subject, stops);
    } catch {
      // A request must not be missed; the driver's own writes report a broken journal.
      setTimeout(look, AGAIN_MS).unref();
    }
  };
  const news = workspace.news.listen(() => void look());
  const onLost = () => {
    if (!stops.request()) stops.ask({ as: "interrupted", by: "the loss of its lease" });
  };
  lease.lost.addEventListener("abort", onLost);
  return {
    close() {
      isClosed = true;
      news.close();
      lease.lost.removeEventListener("abort", onLost);
    },
  };
}
