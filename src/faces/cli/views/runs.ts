import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { shorten } from "../../../core/excerpt.ts";
import { dollars } from "../../../core/usage.ts";
import { hasEnded, phaseOf, type RunState } from "../../../core/workflow/state.ts";
import type { RunSummary } from "../../../core/workflow/store.ts";
import type { Workspace } from "../../../core/workspace.ts";
import {
  type DrivenRun,
  loopOfTask,
  loopsOfRun,
  withHolder,
  withHolders,
  withRunHolder,
} from "../../../engine/named.ts";
import { liveLoop, withLive } from "../../../runtime/live-loop.ts";
import type { Cli } from "../context.ts";
import { agoOf } from "../output/phrases.ts";
import { printRows } from "../output/rows.ts";
import { toned } from "./end-lines.ts";
import { liveLine } from "./live-lines.ts";

const MESSAGE_CHARS = 60;

/** A run with the status running whose driver is gone. */
const isLeft = ({ status, held }: DrivenRun): boolean => status === "running" && !held;

/** The status; with "driver gone" or the proof level where they apply. */
export function runStatusWords(run: DrivenRun): string {
  if (isLeft(run)) return "running (driver gone)";
  return run.status === "completed" && run.proof ? toned(run.proof, `completed, ${run.proof}`) : run.status;
}

/** The progress of a run: `step 2/3`, or `iteration 4/20` for a single loop. */
export function runPlaceWords({ currentStep, steps, metadata }: DrivenRun): string {
  const { iteration_count: n, max_iterations: most } = metadata;
  const iteration = typeof n === "number" && typeof most === "number" ? `iteration ${n}/${most}` : "";
  // For a workflow that is one loop, the step is its iteration.
  if (iteration !== "" && steps === most) return iteration;
  return [`step ${Math.min(currentStep, steps)}/${steps}`, iteration].filter(Boolean).join(", ");
}

export const messageWords = ({ message }: DrivenRun): string => shorten(printable(message), MESSAGE_CHARS);

export const isResumable = (run: DrivenRun): boolean => phaseOf(run.status) === "paused" || isLeft(run);

const resumeWords = (run: DrivenRun): string => (isResumable(run) ? ` (ralph workflow resume ${run.id})` : "");

export function activeRunLine(run: DrivenRun): string {
  const facts = [
    runStatusWords(run) + resumeWords(run),
    runPlaceWords(run),
    `started ${agoOf(run.createdAtMs)}`,
    ...(run.costUsd > 0 ? [dollars(run.costUsd)] : []),
  ];
  return `${run.id}: ${printable(run.workflow)}, ${facts.join(", ")}  ${messageWords(run)}`.trimEnd();
}

/** What a run has cost: its summary has the parts that ended, and the loops of the current part are still at work. */
export async function runCost(workspace: Workspace, run: DrivenRun): Promise<number> {
  if (hasEnded(run.status)) return run.costUsd;
  // A list is shown even if a journal cannot be read.
  const { lanes } = await workspace.runs.glance(run.id).then(({ state }) => state, noLanes);
  const loops = await Promise.all(
    lanes
      .filter(({ ended }) => ended === null)
      .map(({ loop }) => loopOfTask(workspace, loop).then((found) => found && withHolder(workspace, found))),
  );
  const costs = await Promise.all(
    loops.map(async (loop) => (loop ? withLive(loop, await liveLoop(workspace, loop)).costUsd : 0)),
  );
  return costs.reduce((sum, cost) => sum + cost, run.costUsd);
}

function noLanes(error: unknown): Pick<RunState, "lanes"> {
  if (error instanceof RalphError && error.code === "journal-damaged") return { lanes: [] };
  throw error;
}

/** Everything about one run of a workflow, with its loops. */
export async function printRunDetails(cli: Cli, workspace: Workspace, found: RunSummary, json: boolean): Promise<void> {
  const run = await withRunHolder(workspace, found);
  const loops = await loopsOfRun(workspace, run.id);
  const costUsd = await runCost(workspace, run);
  const driven = await withHolders(workspace, loops);
  const live = new Map(
    await Promise.all(driven.map(async (loop) => [loop.id, await liveLoop(workspace, loop)] as const)),
  );
  if (json)
    return cli.printJson({ ...run, costUsd, loops: driven.map((loop) => withLive(loop, live.get(loop.id) ?? null)) });
  const rows: [string, string][] = [
    ["run", run.id],
    ["workflow", printable(run.workflow)],
    ["message", printable(run.message) || "none"],
    ["status", `${runStatusWords(run)}${run.detail ? `: ${printable(run.detail)}` : ""}${resumeWords(run)}`],
    ["progress", runPlaceWords(run)],
    ["spent", dollars(costUsd)],
    ["started", `${new Date(run.createdAtMs).toISOString()} (${agoOf(run.createdAtMs)})`],
    ["updated", agoOf(run.updatedAtMs)],
    ["folder", run.cwd],
    [run.held ? "driver" : "last by", run.holder || "none yet"],
  ];
  printRows(cli, rows);
  for (const loop of driven) {
    const { id, run: of, reason, status, iteration } = loop;
    cli.printWords(
      `  ${printable(of?.part ?? "")}: loop ${id}, ${reason ? toned(reason, reason) : status}, iteration ${iteration}`,
    );
    const now = live.get(id);
    if (now) cli.printWords(liveLine(loop, now));
  }
}
