import { printable } from "../../../core/ansi.ts";
import type { Note } from "../../../core/loop/notes.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopOfTask } from "../../../engine/named.ts";
import { runningExecutions, type Work } from "../../../engine/running.ts";
import { cancelLoop } from "../../../runtime/cancel-loop.ts";
import { UNSEEN } from "../../../runtime/loop-watcher.ts";
import type { Cli } from "../context.ts";
import { noteLine } from "../views/event-lines.ts";

export interface CancelRequest {
  cli: Cli;
  workspace: Workspace;
  by: string;
}

/** What became of a request to cancel. `idle`: it had ended; `asked`: it is still ending its agents. */
export interface Outcome {
  is: "cancelled" | "idle" | "asked";
  words: string;
  /** The command that continues the work. */
  next?: string;
  document: object;
}

/** Cancels a loop, a run, the work on a task, or an execution. */
export function cancelWork(request: CancelRequest, { kind, id }: Pick<Work, "kind" | "id">): Promise<Outcome> {
  switch (kind) {
    case "loop":
      return cancelLoopOf(request, id);
    case "run":
      return cancelRunOf(request, id);
    case "task":
      return cancelTaskOf(request, id);
    case "execution":
      return cancelExecutionOf(request, id);
  }
}

const stillEnding = (what: string): string => `${what} was asked to stop; its agent has not exited yet.`;

async function cancelLoopOf({ cli, workspace, by }: CancelRequest, id: string): Promise<Outcome> {
  const view = { ...UNSEEN, note: (note: Note) => cli.report(noteLine(note)) };
  // Read before it is cancelled: a cancelled loop counts only finished iterations.
  const before = await workspace.store.find(id);
  const { is, wasDriven } = await cancelLoop(workspace, id, { by, view });
  const isAsked = is !== "idle" || wasDriven;
  const loop = await workspace.store.find(id);
  const words = !isAsked
    ? `Loop ${id} had already stopped: ${loop.reason}`
    : is === "idle"
      ? `Loop ${id} stopped by itself: ${loop.reason}`
      : is === "asked"
        ? stillEnding(`Loop ${id}`)
        : `Cancelled Ralph loop ${id} ${during(before)}`;
  // A loop that stopped by itself meanwhile no longer runs, as was wanted.
  const next = is === "cancelled" && !loop.part ? { next: `ralph resume ${id}` } : {};
  return { is: isAsked && is === "idle" ? "cancelled" : is, words, ...next, document: { ...loop, cancelled: isAsked } };
}

function during({ iteration, maxIterations }: LoopSummary): string {
  if (iteration === 0) return "before its first iteration";
  return `during iteration ${iteration}${maxIterations === null ? "" : ` of ${maxIterations}`}`;
}

async function cancelTaskOf({ workspace, by }: CancelRequest, id: string): Promise<Outcome> {
  const { cancelTask } = await import("../../../doors/pipeline/cancel-task.ts");
  // Read before it is cancelled: a cancelled loop counts only finished iterations.
  const at = await loopAt(workspace, (await workspace.tasks.load(id)).state.loop);
  const { is, loop } = await cancelTask(workspace, id, by);
  const { status, held } = await workspace.tasks.find(id);
  const words =
    is === "idle"
      ? `${id} is not being worked on: it is ${status}`
      : is === "asked"
        ? stillEnding(id)
        : `Cancelled Ralph loop for ${id}${at}`;
  const next = is === "cancelled" ? { next: `ralph execute --task ${id}` } : {};
  return { is, words, ...next, document: { task: id, cancelled: is !== "idle", status, held, loop } };
}

async function cancelRunOf({ workspace, by }: CancelRequest, id: string): Promise<Outcome> {
  const { cancelRun } = await import("../../../doors/workflow/cancel.ts");
  const { is } = await cancelRun(workspace, id, by);
  const run = await workspace.runs.find(id);
  const words =
    is === "idle"
      ? `Run ${id} had ended already: ${run.status}`
      : is === "asked"
        ? stillEnding(`Run ${id}`)
        : `Cancelled run ${id} of ${printable(run.workflow)}`;
  return { is, words, document: { ...run, cancelled: is !== "idle" } };
}

async function cancelExecutionOf({ workspace, by }: CancelRequest, id: string): Promise<Outcome> {
  const { cancelExecution } = await import("../../../doors/pipeline/cancel-execution.ts");
  const tasks = (await runningExecutions(workspace)).find((work) => work.id === id)?.tasks ?? [];
  const is = await cancelExecution(workspace, id, by);
  const resumes = tasks.length > 0 ? `: the next \`ralph execute\` continues ${tasks.join(", ")}` : "";
  const next = "ralph execute";
  const words = is === "asked" ? stillEnding(`Execution ${id}`) : `Cancelled execution ${id}${resumes}`;
  return { is, words, next, document: { execution: id, cancelled: true, tasks } };
}

async function loopAt(workspace: Workspace, id: string | null): Promise<string> {
  const loop = await loopOfTask(workspace, id);
  return loop ? ` at iteration ${loop.iteration}/${loop.maxIterations ?? "∞"}` : "";
}
