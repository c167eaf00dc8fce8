import { takeLease } from "../../store/lease.ts";
import type { Workspace } from "../workspace.ts";

/** Whether somebody drives a run at this moment. */
export async function runIsDriven({ folder }: Workspace, id: string): Promise<boolean> {
  const lease = await takeLease(folder.leases, `run-${id}`);
  lease?.release();
  return lease === null;
}
