import { takeRun } from "../workflow/run-lease.ts";
import type { Workspace } from "../workspace.ts";

/** Whether somebody drives a run at this moment. */
export async function runIsDriven(workspace: Workspace, id: string): Promise<boolean> {
  const lease = await takeRun(workspace, id);
  lease?.release();
  return lease === null;
}
