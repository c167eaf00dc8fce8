import { runNamed } from "../../../adapters/store/run-named.ts";
import { loopNamed, loopOfTask, taskNamed } from "../../../adapters/store/task-named.ts";
import { openWorkspace, type Workspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import type { Note } from "../../../core/loop/notes.ts";
import { requirePerson } from "../../../runtime/person.ts";
import { cancelLoop, UNSEEN } from "../../../runtime/run-loop.ts";
import { noteLine } from "../event-lines.ts";
import { printJson, printLine, tell } from "../print.ts";

/** `ralph cancel`: returns once the loop, or the work on the task, has stopped. */
export async function cancelCommand(wanted: string, { json = false }: { json?: boolean }): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  const by = `ralph cancel (pid ${process.pid})`;
  try {
    requirePerson(workspace, "ralph cancel");
    const run = await runNamed(workspace, wanted);
    if (run) return await cancelRunOf(workspace, run.id, by, json);
    const task = await taskNamed(workspace, wanted);
    return task ? await cancelTaskOf(workspace, wanted, by, json) : await cancelLoopOf(workspace, wanted, by, json);
  } finally {
    workspace.store.close();
  }
}

async function cancelLoopOf(workspace: Workspace, wanted: string, by: string, json: boolean): Promise<number> {
  const { store } = workspace;
  const view = { ...UNSEEN, note: (note: Note) => tell(noteLine(note)) };
  const { id, run } = await loopNamed(workspace, wanted);
  // Without it the run would stay open, and nobody would go on with it.
  if (run) return cancelRunOf(workspace, run.run, by, json);
  const { is, wasDriven } = await cancelLoop(workspace, id, { by, view });
  const isAsked = is !== "idle" || wasDriven;
  const loop = await store.find(id);
  if (json) printJson({ ...loop, cancelled: isAsked });
  else if (!isAsked) printLine(`Loop ${id} had stopped already: ${loop.reason}`);
  else if (is === "idle") printLine(`Loop ${id} stopped by itself: ${loop.reason}`);
  else if (is === "asked") printLine(`Loop ${id} was asked to stop and is still ending its agent.`);
  else printLine(`Cancelled Ralph loop ${id} at iteration ${loop.iteration}/${loop.maxIterations ?? "∞"}`);
  return isAsked && is !== "asked" ? EXIT.verified : EXIT.stopped;
}

async function cancelTaskOf(workspace: Workspace, id: string, by: string, json: boolean): Promise<number> {
  const { cancelTask } = await import("../../../doors/pipeline/cancel-task.ts");
  // Where it is now: a loop that was cancelled counts only what it has finished.
  const at = await loopAt(workspace, (await workspace.tasks.load(id)).state.loop);
  const { is, loop } = await cancelTask(workspace, id, by);
  const { status, held } = await workspace.tasks.find(id);
  if (json) printJson({ task: id, cancelled: is !== "idle", status, held, loop });
  else if (is === "idle") printLine(`Nobody is at work on ${id}: it is ${status}`);
  else if (is === "asked") printLine(`${id} was asked to stop and is still ending its agent.`);
  else printLine(`Cancelled Ralph loop for ${id}${at}`);
  return is === "cancelled" ? EXIT.verified : EXIT.stopped;
}

async function cancelRunOf(workspace: Workspace, id: string, by: string, json: boolean): Promise<number> {
  const { cancelRun } = await import("../../../doors/workflow/cancel.ts");
  const { is } = await cancelRun(workspace, id, by);
  const run = await workspace.runs.find(id);
  if (json) printJson({ ...run, cancelled: is !== "idle" });
  else if (is === "idle") printLine(`Run ${id} had ended already: ${run.status}`);
  else if (is === "asked") printLine(`Run ${id} was asked to stop and is still ending its agent.`);
  else printLine(`Cancelled run ${id} of ${printable(run.workflow)}`);
  return is === "cancelled" ? EXIT.verified : EXIT.stopped;
}

async function loopAt(workspace: Workspace, id: string | null): Promise<string> {
  const loop = await loopOfTask(workspace, id);
  return loop ? ` at iteration ${loop.iteration}/${loop.maxIterations ?? "∞"}` : "";
}
