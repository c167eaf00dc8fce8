import type { LoopSummary } from "../../core/loop/store.ts";
import type { Report, ReportItem } from "../../core/report/report.ts";
import type { Since } from "../../core/report/since.ts";
import type { TaskSummary } from "../../core/task/store.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openChangeSizes } from "./changes.ts";
import { type ItemContext, loopItem, runItem, taskItem } from "./items.ts";
import { lastExecution } from "./last-execution.ts";

const DAY_MS = 86_400_000;
/** How many items are read in detail; more are counted. */
const MOST_ITEMS = 300;
const MOST_RUNS = 2_000;

/** Something that happened in the time of a report. */
type Found =
  | { kind: "task"; row: TaskSummary; updatedAtMs: number }
  | { kind: "run"; row: RunSummary; updatedAtMs: number }
  | { kind: "loop"; row: LoopSummary; updatedAtMs: number };

/** What tasks, workflow runs and loops did since a moment: rows of lists, and the journals of the newest items. */
export async function gatherReport(workspace: Workspace, asked: Since | null, nowMs = Date.now()): Promise<Report> {
  const tasks = await workspace.tasks.list();
  const start = await startOf(workspace, { asked, tasks, nowMs });
  const loops = await workspace.store.summaries({ sinceMs: start.fromMs });
  const found = await foundSince(workspace, { fromMs: start.fromMs, tasks, loops });
  const shown = found.sort((a, b) => b.updatedAtMs - a.updatedAtMs).slice(0, MOST_ITEMS);
  const context: ItemContext = { workspace, sizes: await openChangeSizes(workspace), loops: grouped(loops) };
  const items: ReportItem[] = [];
  for (const one of shown.reverse()) {
    const item = await itemOf(context, one);
    if (item) items.push(item);
  }
  const before = tasks.filter(({ id }) => !found.some((one) => one.kind === "task" && one.row.id === id));
  return {
    ...start,
    toMs: nowMs,
    items,
    leftOut: found.length - shown.length,
    earlier: { blocked: countOf(before, "blocked"), proposed: countOf(before, "proposed") },
    todo: countOf(tasks, "todo"),
    totals: totalsOf(loops),
  };
}

interface Asked {
  asked: Since | null;
  tasks: readonly TaskSummary[];
  nowMs: number;
}

/** By default the start of the last execution, if anything of it happened in the last day; otherwise a day. */
async function startOf(workspace: Workspace, { asked, tasks, nowMs }: Asked) {
  if (asked) {
    const fromMs = "atMs" in asked ? asked.atMs : Math.max(0, nowMs - asked.agoMs);
    return { fromMs, since: "asked" as const, execution: null };
  }
  const last = await lastExecution(workspace, tasks, nowMs - DAY_MS);
  if (last) return { fromMs: last.startedMs, since: "execution" as const, execution: last.id };
  return { fromMs: nowMs - DAY_MS, since: "day" as const, execution: null };
}

interface Rows {
  fromMs: number;
  tasks: readonly TaskSummary[];
  loops: readonly LoopSummary[];
}

/** A stage that runs does not change the row of its task, so the loops count too. */
async function foundSince({ runs }: Workspace, { fromMs, tasks, loops }: Rows): Promise<Found[]> {
  const latest = new Map<string, number>();
  for (const { part, run, updatedAtMs } of loops) {
    const id = part ? `task ${part.task}` : run ? `run ${run.run}` : null;
    if (id !== null) latest.set(id, Math.max(updatedAtMs, latest.get(id) ?? 0));
  }
  const rows = await runs.list({ limit: MOST_RUNS });
  const touched = (kind: "task" | "run", row: { id: string; updatedAtMs: number }) =>
    Math.max(row.updatedAtMs, latest.get(`${kind} ${row.id}`) ?? 0);
  return [
    ...tasks.map((row): Found => ({ kind: "task", row, updatedAtMs: touched("task", row) })),
    ...rows.map((row): Found => ({ kind: "run", row, updatedAtMs: touched("run", row) })),
    ...loops
      .filter(({ part, run }) => part === null && run === null)
      .map((row): Found => ({ kind: "loop", row, updatedAtMs: row.updatedAtMs })),
  ].filter((one) => one.updatedAtMs >= fromMs && !(one.kind === "task" && IDLE.has(one.row.status) && isIdle(one.row)));
}

/** Not started, or dropped by the user. A task on hold or waiting for its merge is shown. */
const IDLE: ReadonlySet<TaskSummary["status"]> = new Set(["todo", "cancelled"]);
const isIdle = ({ status, held }: TaskSummary): boolean => status === "cancelled" || !held;

const itemOf = (context: ItemContext, found: Found): Promise<ReportItem | null> =>
  found.kind === "task"
    ? taskItem(context, found.row)
    : found.kind === "run"
      ? runItem(context, found.row)
      : loopItem(context, found.row);

/** The loops of each task and run, oldest first. */
function grouped(loops: readonly LoopSummary[]): ReadonlyMap<string, readonly LoopSummary[]> {
  const groups = new Map<string, LoopSummary[]>();
  for (const loop of loops) {
    const key = loop.part?.task ?? loop.run?.run;
    if (key === undefined) continue;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.unshift(loop);
  }
  return groups;
}

const countOf = (tasks: readonly TaskSummary[], status: TaskSummary["status"]): number =>
  tasks.filter((task) => task.status === status && !task.held).length;

const totalsOf = (loops: readonly LoopSummary[]): Report["totals"] => ({
  loops: loops.length,
  iterations: loops.reduce((sum, { iteration }) => sum + iteration, 0),
  costUsd: loops.reduce((sum, { costUsd }) => sum + costUsd, 0),
  tokens: loops.reduce((sum, { tokens }) => sum + tokens, 0),
});
