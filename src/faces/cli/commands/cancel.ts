import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import type { Note } from "../../../core/loop/notes.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopNamed, loopOfTask, runNamed, taskNamed } from "../../../engine/named.ts";
import { cancelLoop } from "../../../runtime/cancel-loop.ts";
import { UNSEEN } from "../../../runtime/loop-watcher.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import type { Cli, JsonOption } from "../context.ts";
import { noteLine } from "../views/event-lines.ts";

/** `ralph cancel`: returns once the loop, or the work on the task, has stopped. */
export async function cancelCommand(cli: Cli, wanted: string, { json = false }: JsonOption): Promise<number> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const request = { cli, workspace, json, by: `ralph cancel (pid ${cli.process.pid})` };
    refuseAgents(workspace, "ralph cancel");
    const run = await runNamed(workspace, wanted);
    if (run) return cancelRunOf(request, run.id);
    const task = await taskNamed(workspace, wanted);
    return task ? cancelTaskOf(request, wanted) : cancelLoopOf(request, wanted);
  });
}

interface CancelRequest {
  cli: Cli;
  workspace: Workspace;
  by: string;
  json: boolean;
}

async function cancelLoopOf(request: CancelRequest, wanted: string): Promise<number> {
  const { cli, workspace, by, json } = request;
  const { store } = workspace;
  const view = { ...UNSEEN, note: (note: Note) => cli.report(noteLine(note)) };
  const { id, run } = await loopNamed(workspace, wanted);
  // Otherwise the run would stay open without a driver.
  if (run) return cancelRunOf(request, run.run);
  const { is, wasDriven } = await cancelLoop(workspace, id, { by, view });
  const isAsked = is !== "idle" || wasDriven;
  const loop = await store.find(id);
  if (json) cli.printJson({ ...loop, cancelled: isAsked });
  else if (!isAsked) cli.printLine(`Loop ${id} had stopped already: ${loop.reason}`);
  else if (is === "idle") cli.printLine(`Loop ${id} stopped by itself: ${loop.reason}`);
  else if (is === "asked") cli.printLine(`Loop ${id} was asked to stop; its agent is still ending.`);
  else cli.printLine(`Cancelled Ralph loop ${id} at iteration ${loop.iteration}/${loop.maxIterations ?? "∞"}`);
  return isAsked && is !== "asked" ? EXIT.verified : EXIT.stopped;
}

async function cancelTaskOf({ cli, workspace, by, json }: CancelRequest, id: string): Promise<number> {
  const { cancelTask } = await import("../../../doors/pipeline/cancel-task.ts");
  // Read before it is cancelled: a cancelled loop counts only finished iterations.
  const at = await loopAt(workspace, (await workspace.tasks.load(id)).state.loop);
  const { is, loop } = await cancelTask(workspace, id, by);
  const { status, held } = await workspace.tasks.find(id);
  if (json) cli.printJson({ task: id, cancelled: is !== "idle", status, held, loop });
  else if (is === "idle") cli.printLine(`${id} is not being worked on: it is ${status}`);
  else if (is === "asked") cli.printLine(`${id} was asked to stop; its agent is still ending.`);
  else cli.printLine(`Cancelled Ralph loop for ${id}${at}`);
  return is === "cancelled" ? EXIT.verified : EXIT.stopped;
}

async function cancelRunOf({ cli, workspace, by, json }: CancelRequest, id: string): Promise<number> {
  const { cancelRun } = await import("../../../doors/workflow/cancel.ts");
  const { is } = await cancelRun(workspace, id, by);
  const run = await workspace.runs.find(id);
  if (json) cli.printJson({ ...run, cancelled: is !== "idle" });
  else if (is === "idle") cli.printLine(`Run ${id} had ended already: ${run.status}`);
  else if (is === "asked") cli.printLine(`Run ${id} was asked to stop; its agent is still ending.`);
  else cli.printLine(`Cancelled run ${id} of ${printable(run.workflow)}`);
  return is === "cancelled" ? EXIT.verified : EXIT.stopped;
}

async function loopAt(workspace: Workspace, id: string | null): Promise<string> {
  const loop = await loopOfTask(workspace, id);
  return loop ? ` at iteration ${loop.iteration}/${loop.maxIterations ?? "∞"}` : "";
}
