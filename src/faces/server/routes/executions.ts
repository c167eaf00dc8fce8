import { RalphError } from "../../../core/errors.ts";
import {
  cancelExecutionOperation,
  listExecutions,
  resumeLoopOperation,
  startExecution,
} from "../../../core/schema/api-executions.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopToResume, withHolder } from "../../../engine/named.ts";
import { runningExecutions } from "../../../engine/running.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { type Route, route } from "../route.ts";

/** Work in processes of its own: what `ralph execute`, `ralph resume` and `ralph cancel` do. */
export const executionRoutes: readonly Route[] = [
  route(listExecutions, async ({ context: { live } }) => ({ executions: (await live.view()).executions })),
  route(startExecution, async ({ context: { workspace, starter }, body, caller }) => {
    refuseAgents(workspace, "POST /api/executions", caller());
    return starter.execution(body);
  }),
  route(cancelExecutionOperation, async ({ context: { workspace, live }, params: { execution }, caller }) => {
    refuseAgents(workspace, "POST /api/executions/{execution}/cancel", caller());
    const working = (await live.view()).executions.some(({ id }) => id === execution);
    if (!working) await requireRunning(workspace, execution);
    const request = { as: "interrupted", by: "the HTTP interface" } as const;
    await workspace.inbox.request({ kind: "execution", id: execution }, request, Date.now());
    return { execution, cancelled: true };
  }),
  route(resumeLoopOperation, async ({ context: { workspace, starter }, params, body, caller }) => {
    refuseAgents(workspace, "POST /api/loops/{loop}/resume", caller());
    const { id } = await loopToResume(workspace, params.loop);
    const { log } = await starter.loop(id, body);
    return { ...(await withHolder(workspace, await workspace.store.find(id))), log };
  }),
];

/** One whose pulse could not be written is known by its tasks. */
async function requireRunning(workspace: Workspace, execution: string): Promise<void> {
  if ((await runningExecutions(workspace)).some(({ id }) => id === execution)) return;
  throw new RalphError("execution-unknown", `no execution ${execution} works here now`, {
    hint: "GET /api/executions lists them",
  });
}
