import { EXIT, RalphError } from "../../core/errors.ts";
import type { Lease } from "../../core/store.ts";
import { isLeased, takeLease } from "./lease.ts";
import type { Workspace } from "./workspace.ts";

/** Takes the right to drive a run, or returns null when somebody has it. No loop has an id like that. */
export const takeRun = ({ folder }: Workspace, id: string): Promise<Lease | null> =>
  takeLease(folder.leases, `run-${id}`);

/** Whether somebody drives a run at this moment. */
export const isRunDriven = ({ folder }: Workspace, id: string): boolean => isLeased(folder.leases, `run-${id}`);

/** Takes it for whoever cannot do without it. */
export async function requireRun(workspace: Workspace, id: string): Promise<Lease> {
  const lease = await takeRun(workspace, id);
  if (lease) return lease;
  const { holder } = await workspace.runs.find(id);
  throw new RalphError("run-held", `run ${id} is being driven${holder === "" ? "" : ` by ${holder}`}`, {
    hint: `\`ralph cancel ${id}\` stops it, \`ralph workflow runs\` shows it`,
    exitCode: EXIT.stopped,
  });
}

/** Where requests of other processes about a run are kept. */
export const runInbox = (id: string): string => `run/${id}`;

/** Forgets requests about a run that has ended: nobody is left to hear them. */
export const forgetRunRequests = ({ store }: Workspace, id: string): Promise<void> =>
  store.forgetRequests(runInbox(id), Number.MAX_SAFE_INTEGER);
