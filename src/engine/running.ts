import type { Workspace } from "../core/workspace.ts";
import { type DrivenRun, type LoopView, loopOfTask, takenAmong, withHolders, withRunHolders } from "./named.ts";

/** Work that has not ended. */
export interface Work {
  kind: "loop" | "run" | "task" | "execution";
  id: string;
  title: string;
  sinceMs: number;
  /** Null if it works in folders of its own. */
  cwd: string | null;
  /** The loop of a task is null before its first stage. */
  loop: LoopView | null;
  /** The execution that works on a task. */
  execution: string | null;
  /** The tasks that an execution works on. */
  tasks: readonly string[];
}

/** The work that has not ended: what runs, and what was left by a driver that died or a session that is silent. */
export interface OpenWork {
  running: readonly Work[];
  left: readonly Work[];
}

const MOST = 1_000;
/** A session may end without a word, so it counts as running for this long after its last sign of life. */
const SILENT_MS = 3_600_000;

/** What has not ended in this repository, newest first. The loops of tasks and runs are part of those. */
export async function openWork(workspace: Workspace, nowMs = Date.now()): Promise<OpenWork> {
  const [loops, runs, tasks] = await Promise.all([openLoops(workspace), openRuns(workspace), tasksInWork(workspace)]);
  const isRunning = ({ held, driver, updatedAtMs }: LoopView) =>
    held && (driver !== "host" || nowMs - updatedAtMs < SILENT_MS);
  const driven = runs.filter(({ held }) => held);
  return {
    running: newestFirst([...loops.filter(isRunning).map(loopWork), ...driven.map(runWork), ...tasks]),
    left: newestFirst([
      ...loops.filter((loop) => !isRunning(loop)).map(loopWork),
      ...runs.filter(({ held }) => !held).map(runWork),
    ]),
  };
}

/** The same with executions in place of their tasks: cancelling one task would let its execution start another. */
export function withExecutions(works: readonly Work[]): Work[] {
  const executions = new Map<string, Work>();
  const others = works.filter((work) => {
    if (work.execution === null) return true;
    const { title, tasks } = executions.get(work.execution) ?? { title: "", tasks: [] };
    executions.set(work.execution, {
      ...work,
      ...{ kind: "execution", id: work.execution, execution: null, loop: null },
      ...{ title: title || work.title, tasks: [...tasks, work.id] },
    });
    return false;
  });
  return newestFirst([...others, ...executions.values()]);
}

/** The executions that work on tasks now. */
export const runningExecutions = async (workspace: Workspace): Promise<Work[]> =>
  withExecutions(await tasksInWork(workspace)).filter(({ kind }) => kind === "execution");

const newestFirst = (works: readonly Work[]): Work[] => [...works].sort((one, other) => other.sinceMs - one.sinceMs);

async function openLoops(workspace: Workspace): Promise<LoopView[]> {
  const active = await workspace.store.summaries({ active: true, limit: MOST });
  return withHolders(
    workspace,
    active.filter(({ part, run }) => !part && !run),
  );
}

const openRuns = async (workspace: Workspace): Promise<DrivenRun[]> =>
  withRunHolders(workspace, await workspace.runs.list({ status: ["running"], limit: MOST }));

async function tasksInWork(workspace: Workspace): Promise<Work[]> {
  const { tasks, leases } = workspace;
  const begun = await tasks.next({ begun: true, limit: MOST });
  const driven = await takenAmong(leases, "task", begun);
  return Promise.all(
    begun
      .filter(({ id }) => driven.has(id))
      .map(async ({ id, title, updatedAtMs }): Promise<Work> => {
        const { state } = await tasks.glance(id);
        const loop = await loopOfTask(workspace, state.loop);
        const [view = null] = loop ? await withHolders(workspace, [loop]) : [];
        const sinceMs = view?.createdAtMs ?? updatedAtMs;
        const { execution } = state;
        return { kind: "task", id, title, sinceMs, cwd: null, loop: view, execution, tasks: [] };
      }),
  );
}

const NO_TASK = { execution: null, tasks: [] } as const;

const loopWork = (loop: LoopView): Work => ({
  kind: "loop",
  id: loop.id,
  title: loop.title,
  sinceMs: loop.createdAtMs,
  cwd: loop.cwd,
  loop,
  ...NO_TASK,
});

const runWork = ({ id, workflow, message, createdAtMs, cwd }: DrivenRun): Work => ({
  kind: "run",
  id,
  title: [`workflow ${workflow}`, message].filter(Boolean).join(": "),
  sinceMs: createdAtMs,
  cwd,
  loop: null,
  ...NO_TASK,
});
