import { EXIT, nullOn, RalphError } from "../../core/errors.ts";
import type { Level } from "../../core/proof/level.ts";
import { proofOf } from "../../core/proof/shown.ts";
import type { LoopSummary } from "../../core/store.ts";
import type { Task } from "../../core/task/task.ts";
import { ENDED } from "../../core/workflow/state.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { Workspace } from "./workspace.ts";

/** A loop in a list, with whether it is driven just now, or held by a session, and the level of a completed one. */
export type LoopView = LoopSummary & { held: boolean; proof: Level | null };

/** A run in a list, with whether it is driven just now. */
export type DrivenRun = RunSummary & { held: boolean };

/** Asks the lease, not the journal: a driver that was killed could not write that it is gone. */
export async function withHolder({ leases }: Workspace, loop: LoopSummary): Promise<LoopView> {
  const shown = { ...loop, proof: proofOf(loop.reason) };
  if (loop.status === "stopped") return { ...shown, held: false };
  // No process drives it while its host's agent works, or waits for a person.
  if (loop.driver === "host") return { ...shown, held: true };
  return { ...shown, held: await leases.isTaken({ kind: "loop", id: loop.id }) };
}

export const withHolders = (workspace: Workspace, loops: readonly LoopSummary[]): Promise<LoopView[]> =>
  Promise.all(loops.map((loop) => withHolder(workspace, loop)));

export const withRunHolder = async ({ leases }: Workspace, run: RunSummary): Promise<DrivenRun> => ({
  ...run,
  held: run.status === "running" && (await leases.isTaken({ kind: "run", id: run.id })),
});

export const withRunHolders = (workspace: Workspace, runs: readonly RunSummary[]): Promise<DrivenRun[]> =>
  Promise.all(runs.map((run) => withRunHolder(workspace, run)));

/** The task of that id; null where there is none, and it may be a loop that is meant. */
export const taskNamed = ({ tasks }: Workspace, id: string): Promise<Task | null> =>
  tasks.find(id).catch(nullOn("task-unknown"));

/** The run that is meant; null where there is none, and it may be a loop or a task that is meant. */
export const runNamed = async ({ runs }: Workspace, wanted: string): Promise<RunSummary | null> =>
  wanted === "last" ? null : runs.find(wanted).catch(nullOn("run-unknown"));

/** Null where there is none; a task knows the id of its loop before the loop is there. */
export const loopOfTask = async ({ store }: Workspace, id: string | null): Promise<LoopSummary | null> =>
  id === null ? null : await store.find(id).catch(nullOn("loop-unknown"));

const MOST_LOOPS = 1_000;

/** The loops of a run in the order in which they began, as far as anybody looks at them. */
export const loopsOfRun = async ({ store }: Workspace, run: string): Promise<LoopSummary[]> =>
  (await store.summaries({ run, limit: MOST_LOOPS })).reverse();

/** A loop by its own id, or by that of a task: the loop at hand then, or the last one. */
export async function loopNamed(workspace: Workspace, wanted: string): Promise<LoopSummary> {
  const task = await taskNamed(workspace, wanted);
  if (!task && wanted === "last") return await workspace.store.find(wanted);
  const loop = await loopOfTask(workspace, task ? task.loop : wanted);
  if (loop) return loop;
  if (task) {
    throw new RalphError("task-unbegun", `no agent has worked on ${task.id} yet: it is ${task.status}`, {
      hint: `\`ralph task show ${task.id}\` tells all about it`,
      exitCode: EXIT.stopped,
    });
  }
  const run = await runNamed(workspace, wanted);
  if (!run) {
    throw new RalphError("loop-unknown", `there is no loop and no task ${wanted} here`, {
      hint: "`ralph list` shows the loops, `ralph workflow runs` the runs, `ralph task list` the tasks",
    });
  }
  throw new RalphError("loop-unknown", `${run.id} is a run of the workflow ${run.workflow}, not a loop`, {
    hint: `\`ralph workflow resume ${run.id}\` continues it, \`ralph status ${run.id}\` names its loops`,
  });
}

/** A loop to resume by itself; refuses one that is part of a task or a run, where what comes after it is decided. */
export async function loopToResume(workspace: Workspace, wanted: string): Promise<LoopSummary> {
  const loop = await loopNamed(workspace, wanted);
  const { id, part, run } = loop;
  if (part) {
    throw new RalphError("loop-of-task", `loop ${id} belongs to task ${part.task}`, {
      hint: `\`ralph execute --task ${part.task}\` continues it`,
    });
  }
  if (run) {
    throw new RalphError("loop-of-run", `loop ${id} belongs to run ${run.run} of a workflow`, {
      hint: `\`ralph workflow resume ${run.run}\` continues it`,
    });
  }
  return loop;
}

export async function resumableRun({ runs }: Workspace, wanted: string): Promise<RunSummary> {
  const run = await runs.find(wanted);
  if (!ENDED.has(run.status)) return run;
  // An older one is only named: it may have been left for good.
  const [left] = await runs.list({ status: ["interrupted", "running"], limit: 1 });
  const older = left ? `; \`ralph workflow resume ${left.id}\` continues the unfinished run of ${left.workflow}` : "";
  throw new RalphError("run-ended", `run ${run.id} of ${run.workflow} has ended: ${run.status}`, {
    hint: `\`ralph workflow run ${run.workflow}\` starts another one; \`ralph why ${run.id}\` tells about this one${older}`,
    exitCode: EXIT.stopped,
  });
}
