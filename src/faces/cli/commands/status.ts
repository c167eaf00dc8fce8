import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { holderWords } from "../../../core/holder.ts";
import { unknownCostWords } from "../../../core/loop/unknown-cost.ts";
import { reasonWords } from "../../../core/loop/words.ts";
import { type Criterion, criteriaOf, provedWords } from "../../../core/proof/proved.ts";
import { weakIn } from "../../../core/proof/shown.ts";
import { type Refusals, refusedWords } from "../../../core/refusals.ts";
import type { Foreign } from "../../../core/subject.ts";
import { dollars } from "../../../core/usage.ts";
import { hasEnded, RUN_STATUSES } from "../../../core/workflow/state.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { type LoopView, loopNamed, runNamed, withHolder, withHolders, withRunHolders } from "../../../engine/named.ts";
import { liveLoop, withLive } from "../../../runtime/live-loop.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli, JsonOption } from "../context.ts";
import { activityOf, agoOf, roughlyAgo, sessionWords } from "../output/phrases.ts";
import { printRows } from "../output/rows.ts";
import { endWords } from "../views/end-lines.ts";
import { liveLine, liveRows } from "../views/live-lines.ts";
import { activeRunLine, runCost } from "../views/runs.ts";

/** How many active loops `ralph status` shows; `ralph list` has the rest. */
const SHOWN = 50;

export async function statusCommand(cli: Cli, wanted: string | undefined, { json = false }: JsonOption): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const run = wanted === undefined ? null : await runNamed(workspace, wanted);
    if (run) await (await import("../views/runs.ts")).printRunDetails(cli, workspace, run, json);
    else if (wanted !== undefined) await showOne(cli, workspace, wanted, json);
    else await showActive(cli, workspace, json);
  });
}

async function showActive(cli: Cli, workspace: Workspace, json: boolean): Promise<void> {
  const loops = await withHolders(workspace, await workspace.store.summaries({ active: true, limit: SHOWN }));
  const live = new Map(
    await Promise.all(loops.map(async (loop) => [loop.id, await liveLoop(workspace, loop)] as const)),
  );
  if (json) return cli.printJson(loops.map((loop) => withLive(loop, live.get(loop.id) ?? null)));
  const runs = await withRunHolders(
    workspace,
    await workspace.runs.list({ status: RUN_STATUSES.filter((status) => !hasEnded(status)), limit: SHOWN }),
  );
  if (runs.length > 0) cli.printLine("Active workflows:");
  for (const run of runs) cli.printWords(`  ${activeRunLine({ ...run, costUsd: await runCost(workspace, run) })}`);
  if (loops.length === 0 && runs.length > 0) return;
  if (loops.length === 0) return cli.printWords("No loop is running here. `ralph list` shows the ones that stopped.");
  cli.printLine("Active Ralph Loops:");
  for (const loop of loops) {
    cli.printWords(activeLine(loop));
    const now = live.get(loop.id);
    if (now) cli.printWords(liveLine(loop, now));
  }
}

/** A stage is listed by its task; the loop's id, for other commands, comes last. */
function activeLine(loop: LoopView): string {
  const { part, run, id, title, createdAtMs } = loop;
  if (part) return `  ${part.task} (${part.place}): ${activeWords(loop, roughlyAgo(createdAtMs))}  loop ${id}`;
  const of = run ? `${printable(run.part)} of run ${run.run}` : printable(title);
  return `  ${id}: ${activeWords(loop, agoOf(createdAtMs))}  ${of}`;
}

function activeWords(loop: LoopView, ago: string): string {
  const waiting = loop.status === "waiting" ? [activityOf(loop)] : [];
  const gone = loop.held ? [] : [`driver gone (${resumeCommandOf(loop)})`];
  return [iterationOf(loop), `started ${ago}`, provedWords(loop.proved), ...waiting, ...inSession(loop), ...gone]
    .filter(Boolean)
    .join(", ");
}

/** A session may end silently, so its last sign of life is shown. */
function inSession(loop: LoopView): string[] {
  const session = sessionWords(loop);
  return session ? [`in ${session}, last heard ${roughlyAgo(loop.updatedAtMs)}`] : [];
}

function resumeCommandOf({ part, run, id }: LoopView): string {
  if (part) return "ralph execute";
  return run ? `ralph workflow resume ${run.run}` : `ralph resume ${id}`;
}

async function showOne(cli: Cli, workspace: Workspace, wanted: string, json: boolean): Promise<void> {
  const loop = await withHolder(workspace, await loopNamed(workspace, wanted));
  const { criteria, weak, unknown, foreign, refusals } = await foldOf(workspace, loop);
  const live = await liveLoop(workspace, loop);
  const now = withLive(loop, live);
  if (json) return cli.printJson({ ...now, weak, ...(loop.proved ? { criteria } : {}) });
  const rows: [string, string][] = [
    ["loop", loop.id],
    ["task", printable(loop.title)],
    ["status", statusOf(loop, { weak, foreign, refusals })],
    ["progress", progressOf(loop)],
    [
      "spent",
      [`${now.tokens} tokens`, ...(now.costUsd > 0 ? [dollars(now.costUsd)] : []), unknown ?? []].flat().join(", "),
    ],
    ...(live ? liveRows(loop, live) : []),
    ["started", `${new Date(loop.createdAtMs).toISOString()} (${agoOf(loop.createdAtMs)})`],
    ["updated", agoOf(loop.updatedAtMs)],
    ...(refusals ? [["refused", printable(refusedWords(refusals.tools))] as [string, string]] : []),
    ["folder", loop.cwd],
    [loop.held ? "driver" : "last by", holderOf(loop)],
  ];
  printRows(cli, rows);
  for (const criterion of criteria) cli.printWords(criterionLine(criterion));
}

/** A loop that was moved to a new session shows that one. */
const holderOf = (loop: LoopView): string =>
  loop.driver === "host" && loop.host !== null && loop.sessionId !== null
    ? printable(holderWords({ host: loop.host, session: loop.sessionId }))
    : loop.holder || "none yet";

const iterationOf = ({ iteration, maxIterations }: LoopView): string =>
  `iteration ${iteration}${maxIterations === null ? "" : `/${maxIterations}`}`;

const progressOf = (loop: LoopView): string => [iterationOf(loop), provedWords(loop.proved)].filter(Boolean).join(", ");

async function foldOf({ store }: Workspace, { id, proved }: LoopView) {
  // The rest is shown even if the journal cannot be read; `ralph why` reports the damage.
  const state = await store.glance(id).then((loop) => loop.state, orDamaged);
  if (!state) return { criteria: [], weak: [], unknown: null, foreign: null, refusals: undefined };
  const { spec, turn } = state;
  const criteria = proved && spec ? criteriaOf(spec.proof, state.proved, turn?.verdict?.checks) : [];
  return {
    criteria,
    weak: weakIn(state),
    unknown: unknownCostWords(state),
    foreign: state.foreign,
    refusals: turn?.refusals,
  };
}

const criterionLine = ({ text, proved, why }: Criterion): string =>
  `  ${proved ? paint("green", "✓") : paint("red", "✗")} ${printable(text)}${why ? paint("dim", ` (${printable(why)})`) : ""}`;

interface StatusFacts {
  weak: readonly string[];
  foreign: Foreign | null;
  refusals?: Refusals | undefined;
}

function statusOf(loop: LoopView, { weak, foreign, refusals }: StatusFacts): string {
  if (loop.reason) {
    const { means, next } = reasonWords(loop.reason, loop.id, { ...loop, limits: loop, foreign, refusals });
    const why = [...(loop.proof ? [means] : []), loop.detail || means].map(printable).join("; ");
    return `${endWords(loop.reason, weak)}: ${why}${next ? ` (${next})` : ""}`;
  }
  const doing = activityOf(loop);
  const [session] = inSession(loop);
  if (session) return `${doing} ${session} (${resumeCommandOf(loop)} resumes it outside the session)`;
  return loop.held ? doing : `${doing}, but its driver is gone: ${resumeCommandOf(loop)}`;
}

function orDamaged(error: unknown): null {
  if (error instanceof RalphError && error.code === "journal-damaged") return null;
  throw error;
}
