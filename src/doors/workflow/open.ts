import { requireFolder } from "../../adapters/io/folder.ts";
import { newId } from "../../adapters/io/new-id.ts";
import { excludeRalphFiles } from "../../adapters/io/ralph-folder.ts";
import { sweep } from "../../adapters/io/tokens.ts";
import { EXIT, messageOf, RalphError } from "../../core/errors.ts";
import { holderText, holderWords } from "../../core/holder.ts";
import { CORE_VERSION } from "../../core/version.ts";
import { decideRun } from "../../core/workflow/decide.ts";
import type { RunEvent, RunStarted } from "../../core/workflow/events.ts";
import { runKind } from "../../core/workflow/kind.ts";
import { hasEnded, type RunState } from "../../core/workflow/state.ts";
import { lanesOf } from "../../core/workflow/workflow.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openLedger } from "../../engine/ledger.ts";
import { openDriver, ownHolder, watchStops } from "../../runtime/driver.ts";
import { checkNeighbours, type Neighbours } from "../../runtime/neighbours.ts";
import { requireLease } from "../../runtime/under-lease.ts";
import type { LaneStop, RunContext, RunDriving, RunView } from "./context.ts";
import { partBegins, stepFailed, workflowCancelled, workflowComplete, workflowPaused } from "./messages.ts";
import { runToken } from "./part/bash-lane.ts";
import { runLane } from "./part/lane.ts";
import { makeArtifacts } from "./part/part-spec.ts";
import { watchCommand } from "./record/command-record.ts";
import { recordRunProtection } from "./record/run-record.ts";

/** Records a new run, which is not driven yet. */
export async function createRun(workspace: Workspace, started: RunStarted): Promise<string> {
  const id = newId();
  await workspace.runs.create(id, started, Date.now());
  return id;
}

/**
 * Throws if a loop outside the run may change the files that its agents work on, unless that is allowed. Which files
 * those are is not known for all its parts.
 */
export async function checkRunNeighbours(
  workspace: Workspace,
  { id = "", started: { workflow, cwd } }: { id?: string; started: RunStarted },
  neighbours: Neighbours,
): Promise<void> {
  if (workflow.parts.flatMap(lanesOf).every(({ kind }) => kind === "bash")) return;
  await checkNeighbours(workspace, { id, spec: { cwd, proof: { scope: [] } } }, neighbours);
}

/** Drives a run from its current state until it ends or a stop is requested. Closes the reporter. */
export async function driveRun(driving: RunDriving, id: string): Promise<RunState> {
  const { workspace, stops, reporter, view = {} } = driving;
  // Read before the lease is taken: requests from then on are for this process.
  const takenMs = Date.now();
  const lease = await requireLease(workspace, { kind: "run", id }).catch(async (error: unknown) => {
    await reporter.close();
    throw error;
  });
  const driver = await openDriver(workspace);
  try {
    const { runs } = workspace;
    const onWritten: RunView["run"] = (event, state) => view.run?.(event, state);
    const ports = { now: Date.now, store: runs, lease, onWritten };
    let ledger = openLedger(runKind, await runs.load(id), ports);
    const { started } = ledger.state;
    if (!started) throw new Error(`the run ${id} was never started`);
    try {
      if (!hasEnded(ledger.state.status)) {
        requireFolder(started.cwd);
        const excluded = excludeRalphFiles(started.cwd);
        if (excluded !== null) view.note?.({ type: "files.excluded", path: excluded });
        // Kills processes that a command of an earlier driver left running; the lease excludes another driver.
        sweep(runToken(id));
        const holder = ownHolder();
        const taken = { type: "run.taken", by: holderWords(holder), version: CORE_VERSION } as const;
        ledger = openLedger(runKind, await runs.adopt(id, taken, takenMs, holderText(holder)), ports);
        onWritten(taken, ledger.state);
        const watch = watchStops(workspace, { kind: "run", id }, { stops, lease });
        await worked({ ...driving, ...driver, view, id, ledger, started }).finally(watch.close);
      }
    } finally {
      const { dropped } = await reporter.close();
      if (dropped > 0) await ledger.write({ type: "messages.dropped", count: dropped });
    }
    return ledger.state;
  } finally {
    driver.sweep(runToken(id));
    driver.close();
    lease.release();
  }
}

async function worked(context: RunContext): Promise<void> {
  try {
    await work(context);
  } catch (error) {
    // The error is recorded, and the run can be resumed.
    await leave(context, wordsOf(error));
    if (!(error instanceof RalphError) || error.exitCode !== EXIT.usage) throw error;
  }
}

const wordsOf = (error: unknown): string => (error instanceof RalphError ? error.text(" — ") : messageOf(error));

async function work(context: RunContext): Promise<void> {
  const { ledger, stops } = context;
  while (true) {
    const next = decideRun(ledger.state);
    if (next.do === "rest") return;
    // A run that has ended ignores requests.
    if (next.do === "end") return end(context, next.status, next.detail);
    const request = stops.request();
    if (request?.as === "cancelled") return cancelled(context, request.by);
    if (request) return interrupted(context, request);
    // For every part, because an agent may delete files that git ignores.
    makeArtifacts(context.id, context.started.cwd);
    await recordRunProtection(context, next.part);
    await watchCommand(context, next.part);
    if ((await runPart(context, next.part)) === "left") return;
  }
}

/** Drives every lane of a part, and records why the run does not continue. */
async function runPart(context: RunContext, part: number): Promise<"left" | "continues"> {
  const { ledger, reporter, stops } = context;
  const { workflow } = context.started;
  const lanes = ledger.state.lanes;
  const text = lanes.every(({ attempt }) => attempt === 0) ? partBegins(workflow, part) : null;
  if (text !== null) reporter.report({ kind: "progress", text });
  // Waits for all lanes, even if one fails.
  const ends = await Promise.allSettled(lanes.map((_, lane) => runLane(context, part, lane)));
  const kept: LaneStop[] = [];
  for (const one of ends) {
    if (one.status === "rejected") throw one.reason;
    if (one.value) kept.push(one.value);
  }
  const gone = kept.find(({ is }) => is === "cancelled");
  const request = stops.request();
  const paused = kept.find(({ is }) => is === "paused");
  const ended = kept.flatMap((one) => (one.is === "cancelled" ? [one.ended] : []));
  if (gone?.is === "cancelled") await cancelled(context, gone.by, ...ended);
  else if (request?.as === "cancelled") await cancelled(context, request.by);
  else if (paused?.is === "paused") await (request ? interrupted(context, request) : leave(context, paused.why, true));
  else return "continues";
  return "left";
}

async function end(context: RunContext, status: "completed" | "failed", detail: string): Promise<void> {
  const { ledger, reporter } = context;
  const { workflow } = context.started;
  const { part, lanes, metadata } = ledger.state;
  const { parts } = workflow;
  const label = typeof metadata.label === "string" ? metadata.label : "";
  const failed = lanes.findIndex((lane) => lane.ended?.is === "failed");
  const piece = parts[part] && lanesOf(parts[part])[failed];
  await ledger.write({ type: "run.ended", status, detail: status === "completed" ? label : detail });
  const tell = (text: string) => reporter.report({ kind: "progress", text, critical: true });
  if (status === "completed" && !(parts.length === 1 && parts[0]?.kind === "loop")) tell(workflowComplete(workflow));
  // A loop reports its own end.
  if (status === "failed" && piece && piece.kind !== "loop") tell(stepFailed(piece.name, part, parts.length, detail));
}

async function cancelled({ ledger, started, reporter }: RunContext, by: string, ...before: RunEvent[]): Promise<void> {
  await ledger.write(...before, { type: "run.ended", status: "cancelled", detail: `by ${by}` });
  reporter.report({
    kind: "progress",
    text: workflowCancelled(started.workflow.name, `by ${by}`),
    critical: true,
  });
}

const interrupted = (context: RunContext, { by }: { by: string }): Promise<void> =>
  leave(context, `interrupted by ${by}`);

/** `waits`: whether it waits for the user. */
async function leave({ ledger, started, reporter, stops, id }: RunContext, why: string, waits = false): Promise<void> {
  await ledger.write({ type: "run.paused", why, waits });
  const { workflow, conversation } = started;
  const text = workflowPaused(workflow.name, why, id, conversation !== null && stops.request()?.as === "interrupted");
  reporter.report({ kind: "progress", text, critical: true });
}
