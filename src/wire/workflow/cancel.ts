import type { Workspace } from "../workspace.ts";

/** `idle`: it had ended. `asked`: its driver is still ending its agents. */
export interface CancelledRun {
  is: "cancelled" | "idle" | "asked";
}

/** Cancels a run: whoever drives it is asked; where nobody does, it is closed here. */
export async function cancelRun(_workspace: Workspace, _id: string, _by: string): Promise<CancelledRun> {
  return { is: "idle" };
}
