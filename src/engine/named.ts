import { EXIT, nullOn, RalphError } from "../core/errors.ts";
import type { Leases } from "../core/lease.ts";
import type { LoopSummary } from "../core/loop/store.ts";
import type { Level } from "../core/proof/level.ts";
import { proofOf } from "../core/proof/shown.ts";
import type { Addressee } from "../core/subject.ts";
import type { Task } from "../core/task/task.ts";
import { hasEnded } from "../core/workflow/state.ts";
import type { RunSummary } from "../core/workflow/store.ts";
import type { Workspace } from "../core/workspace.ts";

/** A loop in a list: whether it is driven or held by a session, and the level of a completed one. */
export type LoopView = LoopSummary & { held: boolean; proof: Level | null };

/** A run in a list, and whether it is driven. */
export type DrivenRun = RunSummary & { held: boolean };

export async function withHolder(workspace: Workspace, loop: LoopSummary): Promise<LoopView> {
  const [shown] = await withHolders(workspace, [loop]);
  return shown ?? viewOf(loop, false);
}

/** Checks the leases, not the journals: a killed driver could not write that it is gone. */
export async function withHolders({ leases }: Workspace, loops: readonly LoopSummary[]): Promise<LoopView[]> {
  // No process drives a loop while the agent of a host works or waits for the user.
  const open = loops.filter(({ status, driver }) => status !== "stopped" && driver !== "host");
  const held = await takenAmong(leases, "loop", open);
  return loops.map((loop) => viewOf(loop, held.has(loop.id) || (loop.status !== "stopped" && loop.driver === "host")));
}

const viewOf = (loop: LoopSummary, held: boolean): LoopView => ({ ...loop, proof: proofOf(loop.reason), held });

export async function withRunHolder(workspace: Workspace, run: RunSummary): Promise<DrivenRun> {
  const [shown] = await withRunHolders(workspace, [run]);
  return shown ?? { ...run, held: false };
}

export async function withRunHolders({ leases }: Workspace, runs: readonly RunSummary[]): Promise<DrivenRun[]> {
  const open = runs.filter(({ status }) => status === "running");
  const held = await takenAmong(leases, "run", open);
  return runs.map((run) => ({ ...run, held: held.has(run.id) }));
}

/** The ids of those that a process drives. */
export async function takenAmong(
  leases: Leases,
  kind: Addressee["kind"],
  subjects: readonly { id: string }[],
): Promise<ReadonlySet<string>> {
  const areTaken = await leases.areTaken(subjects.map(({ id }) => ({ kind, id })));
  return new Set(subjects.filter((_, i) => areTaken[i]).map(({ id }) => id));
}

/** The task with this id; null if there is none, because the id may be a loop's. */
export const taskNamed = ({ tasks }: Workspace, id: string): Promise<Task | null> =>
  tasks.find(id).catch(nullOn("task-unknown"));

export async function requireSpec({ spec }: Pick<Workspace["tasks"], "spec">, id: string): Promise<void> {
  if (await spec(id)) return;
  throw new RalphError("spec-unknown", `there is no spec ${id}`, { hint: "`ralph spec list` shows them" });
}

/** The run with this id; null if there is none, because the id may be a loop's or a task's. */
export async function runNamed(workspace: Workspace, wanted: string): Promise<RunSummary | null> {
  const run = wanted === "last" ? null : await workspace.runs.find(wanted).catch(nullOn("run-unknown"));
  if (!run || run.id === wanted) return run;
  if (await taskNamed(workspace, wanted)) return null;
  const loop = await workspace.store.find(wanted).catch(nullOn("loop-unknown"));
  if (!loop) return run;
  if (loop.id === wanted) return null;
  throw new RalphError("loop-ambiguous", `${wanted} could be the run ${run.id} or the loop ${loop.id}`, {
    hint: "use more characters of the id",
  });
}

/** Null if there is none: a task knows the id of its loop before the loop exists. */
export const loopOfTask = async ({ store }: Workspace, id: string | null): Promise<LoopSummary | null> =>
  id === null ? null : await store.find(id).catch(nullOn("loop-unknown"));

const MOST_LOOPS = 1_000;

/** The loops of a run in the order they started, up to a limit. */
export const loopsOfRun = async ({ store }: Workspace, run: string): Promise<LoopSummary[]> =>
  (await store.summaries({ run, limit: MOST_LOOPS })).reverse();

/** A loop by its own id, or by that of a task: its current or last loop. */
export async function loopNamed(workspace: Workspace, wanted: string): Promise<LoopSummary> {
  const task = await taskNamed(workspace, wanted);
  if (!task && wanted === "last") return await workspace.store.find(wanted);
  const loop = await loopOfTask(workspace, task ? task.loop : wanted);
  if (loop) return loop;
  if (task) {
    throw new RalphError("task-unbegun", `no agent has worked on ${task.id} yet: it is ${task.status}`, {
      hint: `\`ralph task show ${task.id}\` shows it`,
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

/** A loop to resume by itself. Throws for a part of a task or run, which continue only as a whole. */
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
  if (!hasEnded(run.status)) return run;
  // An older run is only mentioned: the user may have abandoned it.
  const [left] = await runs.list({ status: ["interrupted", "running"], limit: 1 });
  const older = left ? `; \`ralph workflow resume ${left.id}\` continues the unfinished run of ${left.workflow}` : "";
  throw new RalphError("run-ended", `run ${run.id} of ${run.workflow} has ended: ${run.status}`, {
    hint: `\`ralph workflow run ${run.workflow}\` starts another one; \`ralph why ${run.id}\` explains this one${older}`,
    exitCode: EXIT.stopped,
  });
}
