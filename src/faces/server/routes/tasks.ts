import { RalphError } from "../../../core/errors.ts";
import {
  acceptTaskOperation,
  cancelTaskOperation,
  createTasks,
  listSpecs,
  listTasks,
  retryTask,
  showSpec,
  showTask,
} from "../../../core/schema/api-tasks.ts";
import { specDocument, specSummaryDocument, summaryDocument } from "../../../core/task/document.ts";
import { cancelTask } from "../../../doors/pipeline/cancel-task.ts";
import { acceptTask, changeTask } from "../../../doors/pipeline/tasks/task-change.ts";
import { postTasks } from "../../../doors/pipeline/tasks/task-post.ts";
import { taskPage, viewTask } from "../../../doors/pipeline/tasks/task-view.ts";
import { badBody, Refusal } from "../refusal.ts";
import { BY_HTTP, type Route, route } from "../route.ts";

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
    const { is, loop } = await cancelTask(workspace, params.task, BY_HTTP);
    const { status, held } = await workspace.tasks.find(params.task);
    return { task: params.task, cancelled: is !== "idle", status, held, loop };
  }),
  route(createTasks, async ({ context: { workspace }, query, body, caller }) => {
    const posted = { value: body, withoutCriteria: query.noCriteria ?? false, by: BY_HTTP, caller: caller() };
    const answer = await postTasks(workspace, posted);
    if (answer.is === "faulty") throw badBody(answer.faults);
    const { tasks, specs, proposed } = answer;
    return { id: tasks[0]?.id ?? "", created: tasks.map(summaryDocument), specs, proposed };
  }),
  route(retryTask, async ({ context: { workspace }, params: { task } }) =>
    summaryDocument(await changeTask(workspace, task, { change: {}, status: "todo", by: BY_HTTP })),
  ),
  route(acceptTaskOperation, async ({ context: { workspace }, params, query: { seen } }) => {
    const task = await workspace.tasks.find(params.task);
    if (seen !== undefined && seen !== task.updatedAtMs) throw changedSince(task.id);
    return summaryDocument(await acceptTask(workspace, task, BY_HTTP));
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

const changedSince = (id: string): Refusal =>
  new Refusal(409, "task-changed", `${id} was changed since its page was shown`, "review it again, then accept it");
