import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { markDescendants } from "../adapters/io/descent.ts";
import { sweep } from "../adapters/io/tokens.ts";
import { startWatchdog, type Watchdog } from "../adapters/io/watchdog.ts";
import type { Holder } from "../core/holder.ts";
import type { Lease } from "../core/lease.ts";
import type { Addressee } from "../core/subject.ts";
import type { Workspace } from "../core/workspace.ts";
import type { StopControl } from "../engine/stop-control.ts";

/** What ends the processes of a driver, even if the driver is killed. */
export interface DriverProcess {
  /** The part of its processes' run tokens that follows the subject. */
  processToken: string;
  watchdog: Watchdog;
}

interface OpenDriver extends DriverProcess {
  /** Kills what it left running for the subject whose run tokens start with `prefix`. */
  sweep(prefix: string): void;
  close(): void;
}

/** Prepares this process to drive loops, a run or tasks. `host`: whether the agent belongs to another program. */
export async function openDriver({ folder }: Workspace, { host = false } = {}): Promise<OpenDriver> {
  const processToken = randomBytes(6).toString("hex");
  // The agent of a host is not a child of this process.
  if (!host) await markDescendants(folder.root);
  const watchdog = startWatchdog(processToken);
  return {
    processToken,
    watchdog,
    sweep: (prefix) => sweep(`${prefix}${processToken}/`),
    close: watchdog.close,
  };
}

export const ownHolder = (): Holder => ({ pid: process.pid, machine: hostname() });

/** Passes on the request of another process, if there is one. */
export async function takeRequest({ inbox }: Workspace, subject: Addressee, stops: StopControl): Promise<void> {
  const [request] = await inbox.requests(subject);
  if (request && !stops.request()) stops.ask(request);
}

const AGAIN_MS = 200;

/** Stops the driver of a subject when another process asks for it, or when its lease is lost, if it has one. */
export function watchStops(
  workspace: Workspace,
  subject: Addressee,
  { stops, lease }: { stops: StopControl; lease: Lease | null },
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
  lease?.lost.addEventListener("abort", onLost);
  return {
    close() {
      isClosed = true;
      news.close();
      lease?.lost.removeEventListener("abort", onLost);
    },
  };
}
