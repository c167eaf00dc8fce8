import type { Workspace } from "../../core/workspace.ts";
import { runningExecutions } from "../../engine/running.ts";
import { type Cancelled, PATIENCE_MS } from "../../runtime/cancel.ts";

const LOOK_MS = 100;

/** Stops an execution. Its tasks keep their work and their place, so the next execution resumes them. */
export async function cancelExecution(workspace: Workspace, id: string, by: string): Promise<Cancelled["is"]> {
  const request = { as: "interrupted", by } as const;
  await workspace.inbox.request({ kind: "execution", id }, request, Date.now());
  for (const giveUpMs = Date.now() + PATIENCE_MS; Date.now() < giveUpMs; ) {
    const works = await runningExecutions(workspace);
    if (!works.some((work) => work.id === id)) return "cancelled";
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return "asked";
}
