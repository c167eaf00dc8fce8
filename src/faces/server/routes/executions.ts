import { RalphError } from "../../../core/errors.ts";
import {
  cancelExecutionOperation,
  listExecutions,
  resumeLoopOperation,
  startExecution,
} from "../../../core/schema/api-executions.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { stopExecution } from "../../../doors/pipeline/cancel-execution.ts";
import { loopToResume, withHolder } from "../../../engine/named.ts";
import { runningExecutions } from "../../../engine/running.ts";
import { BY_HTTP, type Route, route } from "../route.ts";

/** Work in processes of its own: what `ralph execute`, `ralph resume` and `ralph cancel` do. */
export const executionRoutes: readonly Route[] = [
  route(listExecutions, async ({ context: { live } }) => ({ executions: (await live.view()).executions })),
  route(startExecution, async ({ context: { starter }, body }) => starter.execution(body)),
  route(cancelExecutionOperation, async ({ context: { workspace, live }, params: { execution } }) => {
    const working = (await live.view()).executions.some(({ id }) => id === execution);
    if (!working) await requireRunning(workspace, execution);
    await stopExecution(workspace, execution, BY_HTTP);
    return { execution, cancelled: true };
  }),
  route(resumeLoopOperation, async ({ context: { workspace, starter }, params, body }) => {
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
