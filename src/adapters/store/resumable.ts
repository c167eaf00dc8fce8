import { RalphError } from "../../core/errors.ts";
import type { LoopSummary } from "../../core/store.ts";
import { loopNamed } from "./task-named.ts";
import type { Workspace } from "./workspace.ts";

/** The loop that somebody wants to go on with by itself; refuses one that is part of something else. */
export async function loopToResume(workspace: Workspace, wanted: string): Promise<LoopSummary> {
  const loop = await loopNamed(workspace, wanted);
  if (loop.part) throw partOf(loop.id, loop.part.task);
  if (loop.run) throw partOfRun(loop.id, loop.run.run);
  return loop;
}

/** What comes after it is decided where its task is. */
const partOf = (loop: string, task: string): RalphError =>
  new RalphError("loop-of-task", `loop ${loop} belongs to task ${task}`, {
    hint: `\`ralph execute --task ${task}\` goes on with it`,
  });

/** The run knows what comes after it. */
const partOfRun = (loop: string, run: string): RalphError =>
  new RalphError("loop-of-run", `loop ${loop} belongs to run ${run} of a workflow`, {
    hint: `\`ralph workflow resume ${run}\` goes on with it`,
  });
