import { RalphError } from "../../../core/errors.ts";
import { cancelTaskOperation, listSpecs, listTasks, showSpec, showTask } from "../../../core/schema/api-tasks.ts";
import { specDocument, specSummaryDocument, summaryDocument } from "../../../core/task/document.ts";
import { cancelTask } from "../../../doors/pipeline/cancel-task.ts";
import { taskPage, viewTask } from "../../../doors/pipeline/tasks/task-view.ts";
import { type Route, route } from "../route.ts";

/** Tasks and specs: what `ralph task list`, `show`, `ralph spec` and `ralph cancel` do. */
export const taskRoutes: readonly Route[] = [
  route(listTasks, async ({ context: { workspace }, query: { spec, status, ready, limit } }) => {
    const found = await workspace.tasks.list({
      limit,
      ...(spec ? { spec } : {}),
      ...(status ? { status: [status] } : {}),
      ...(ready ? { ready } : {}),
    });
    return { tasks: found.map(summaryDocument) };
  }),
  route(showTask, async ({ context: { workspace }, params }) => taskPage(await viewTask(workspace, params.task))),
  route(cancelTaskOperation, async ({ context: { workspace }, params }) => {
    const { is, loop } = await cancelTask(workspace, params.task, "the HTTP interface");
    const { status, held } = await workspace.tasks.find(params.task);
    return { task: params.task, cancelled: is !== "idle", status, held, loop };
  }),
  route(listSpecs, async ({ context: { workspace } }) => ({
    specs: (await workspace.tasks.specs()).map(specSummaryDocument),
  })),
  route(showSpec, async ({ context: { workspace }, params }) => {
    const spec = await workspace.tasks.spec(params.spec);
    if (!spec) throw new RalphError("spec-unknown", `there is no spec ${params.spec}`, { hint: "GET /api/specs" });
    return { ...specDocument(spec), tasks: await workspace.tasks.counts(spec.id) };
  }),
];
