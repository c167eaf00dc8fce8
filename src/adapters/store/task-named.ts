import { EXIT, nullOn, RalphError } from "../../core/errors.ts";
import type { LoopSummary } from "../../core/store.ts";
import type { Task } from "../../core/task/task.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import { runNamed } from "./run-named.ts";
import type { Workspace } from "./workspace.ts";

/** The task of that id; null where there is none, and it may be a loop that is meant. */
export const taskNamed = ({ tasks }: Workspace, id: string): Promise<Task | null> =>
  tasks.find(id).catch(nullOn("task-unknown"));

/** A loop by its own id, or by that of a task: the loop at hand then, or the last one. */
export async function loopNamed(workspace: Workspace, wanted: string): Promise<LoopSummary> {
  const task = await taskNamed(workspace, wanted);
  if (!task) return wanted === "last" ? await workspace.store.find(wanted) : await loopOrNothing(workspace, wanted);
  const loop = await loopOfTask(workspace, task.loop);
  if (loop) return loop;
  throw new RalphError("task-unbegun", `no agent has worked on ${task.id} yet: it is ${task.status}`, {
    hint: `\`ralph task show ${task.id}\` tells all about it`,
    exitCode: EXIT.stopped,
  });
}

async function loopOrNothing(workspace: Workspace, wanted: string): Promise<LoopSummary> {
  const loop = await loopOfTask(workspace, wanted);
  if (loop) return loop;
  const run = await runNamed(workspace, wanted);
  if (run) throw noLoopButRun(run);
  throw new RalphError("loop-unknown", `there is no loop and no task ${wanted} here`, {
    hint: "`ralph list` shows the loops, `ralph workflow runs` the runs, `ralph task list` the tasks",
  });
}

const noLoopButRun = ({ id, workflow }: RunSummary): RalphError =>
  new RalphError("loop-unknown", `${id} is a run of the workflow ${workflow}, not a loop`, {
    hint: `\`ralph workflow resume ${id}\` goes on with it, \`ralph status ${id}\` names its loops`,
  });

/** Null where there is none; a task knows the id of its loop before the loop is there. */
export const loopOfTask = async ({ store }: Workspace, id: string | null): Promise<LoopSummary | null> =>
  id === null ? null : await store.find(id).catch(nullOn("loop-unknown"));
