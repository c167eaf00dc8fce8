import type { Workspace } from "../../core/workspace.ts";
import { runningExecutions } from "../../engine/running.ts";
import { type Cancelled, PATIENCE_MS } from "../../runtime/cancel.ts";

const LOOK_MS = 100;

/** Asks an execution to stop. */
export const stopExecution = (workspace: Workspace, id: string, by: string): Promise<void> =>
  workspace.inbox.request({ kind: "execution", id }, { as: "interrupted", by }, Date.now());

/** Stops an execution. Its tasks keep their work and their place, so the next execution resumes them. */
export async function cancelExecution(workspace: Workspace, id: string, by: string): Promise<Cancelled["is"]> {
  await stopExecution(workspace, id, by);
  for (const giveUpMs = Date.now() + PATIENCE_MS; Date.now() < giveUpMs; ) {
    const works = await runningExecutions(workspace);
    if (!works.some((work) => work.id === id)) return "cancelled";
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return "asked";
}
