import { EXIT, RalphError } from "../../core/errors.ts";
import type { Lease } from "../../core/store.ts";
import { takeLease } from "./lease.ts";
import type { Workspace } from "./workspace.ts";

/** Takes the right to work on a task, or returns null when somebody has it. No loop has an id like that. */
export const takeTask = ({ folder }: Workspace, id: string): Promise<Lease | null> =>
  takeLease(folder.leases, `task-${id}`);

/** The same for whoever cannot do without it. */
export async function requireTask(workspace: Workspace, id: string): Promise<Lease> {
  const lease = await takeTask(workspace, id);
  if (lease) return lease;
  throw new RalphError("task-held", `somebody is working on task ${id}`, {
    hint: `\`ralph cancel ${id}\` stops that first`,
    exitCode: EXIT.stopped,
  });
}

/** Where requests of other processes about a task are kept. */
export const taskInbox = (id: string): string => `task/${id}`;
