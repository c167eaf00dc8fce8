import { lastWords } from "../../../adapters/agents/output.ts";
import { newId } from "../../../adapters/io/new-id.ts";
import { nullOn, RalphError } from "../../../core/errors.ts";
import { objectionTo } from "../../../core/loop/decide.ts";
import type { StopReason } from "../../../core/loop/events.ts";
import { iterationsDone, type LoopState } from "../../../core/loop/state.ts";
import { pausesTask, stopFacts } from "../../../core/loop/stop-reasons.ts";
import { reasonWords } from "../../../core/loop/words.ts";
import { isLevel, type Level } from "../../../core/proof/level.ts";
import { JUDGE_UNAVAILABLE } from "../../../core/proof/level-of.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { usageIn } from "../../../core/task/execution-log.ts";
import type { LoopRole } from "../../../core/task/role.ts";
import { objectionWords } from "../../../core/why.ts";
import type { LoopWatcher } from "../../../runtime/loop-watcher.ts";
import { type LoopRun, resumeLoop, startLoop } from "../../../runtime/run-loop.ts";
import { blockedBy, orBlocked, type Scene, type TaskContext, type TaskEnd } from "../context.ts";
import { renewTaskRecord } from "../pins/task-record.ts";
import { COPY_FAILED, changedBeside, copyFor, isOnCopy, openCopy } from "./copy.ts";
import { type PlannedLoop, stageLoop } from "./stage-plan.ts";
import { taskWorkIn } from "./task-work.ts";

interface Stage {
  place: LoopRole;
  /** Null if it has not started. */
  loop: string | null;
}

/** Drives the loop of a stage to its end, even if another process started it, and journals the result. */
export async function runStage(context: TaskContext, { place, loop }: Stage): Promise<TaskEnd | null> {
  const { ledger } = context;
  const planned = await orBlocked(context, async () =>
    stageLoop(context, place, isOnCopy(place) ? await copyFor(context) : undefined),
  );
  if (!planned) return null;
  const id = loop ?? newId();
  if (loop === null) await ledger.write({ type: "stage.began", place, loop: id });
  const state = await orBlockedByJournal(
    context,
    async () => (await endOf(context, id)) ?? (await driven(context, place, id, planned)),
  );
  if (!state) return null;
  const { reason, detail } = state.stopped ?? { reason: "interrupted", detail: "" };
  if (stopFacts(reason).task === "cancelled") {
    await ledger.write({ type: "task.cancelled", by: state.stopRequest?.by ?? "a person" });
    return "held";
  }
  if (stopFacts(reason).task === "environment")
    throw environmentError(reason, detail, { task: ledger.task.id, place, loop: id });
  if (pausesTask(reason)) return "left";
  await ledger.write(...(await endings(context, { place, loop: id }, state)));
  return null;
}

async function endings(context: TaskContext, { place, loop }: Required<Stage>, state: LoopState): Promise<TaskEvent[]> {
  const { reason, detail } = state.stopped ?? { reason: "interrupted", detail: "" };
  const { spec, discarded, turn } = state;
  const copy = spec?.part?.copy;
  const proven = isLevel(reason);
  // A verified stage renews the tamper records; one on a copy leaves nothing behind.
  const fingerprints = proven && spec && !copy ? await renewTaskRecord(context, spec) : null;
  const ended: TaskEvent = {
    type: "stage.ended",
    place,
    loop: loop ?? "",
    reason,
    detail: reason === "iteration-limit" ? limitWords(state) : detail,
    iterations: iterationsDone(state),
    findings: turn?.review?.findings ?? [],
    lastOutput: proven ? "" : await lastWords(context.workspace.blobs, state, OUTPUT_CHARS),
    fingerprints,
    ...(proven ? { head: turn?.verdict?.head ?? "", proof: proofOf(context, state) } : {}),
    ...(proven && turn?.verdict?.weak ? { weak: turn.verdict.weak } : {}),
    ...(discarded ? { discarded } : {}),
  };
  const beside = proven && copy ? await changedBeside(context, copy, place) : null;
  return beside === null ? [ended] : [ended, { type: "merge.refused", findings: [beside] }];
}

/**
 * The proof level that a completed stage gives the task. Only the coder's work is measured from the start of the
 * branch; later stages keep its level, unless their judge was replaced by the promise.
 */
function proofOf({ stages }: TaskContext, { spec, stopped, turn }: LoopState): Level | null {
  const level = isLevel(stopped?.reason) ? stopped.reason : null;
  const decides = spec?.part?.place === "coder" || !stages.includes("coder");
  return decides || turn?.verdict?.label?.includes(JUDGE_UNAVAILABLE) ? level : null;
}

/** A damaged journal blocks only its own task. */
async function orBlockedByJournal<T>(context: TaskContext, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RalphError && error.code.startsWith("journal-")) return blockedBy(context, error);
    throw error;
  }
}

/** The final state of a loop that has ended; null if it has to be driven or resumed. */
async function endOf({ workspace, log }: TaskContext, id: string): Promise<LoopState | null> {
  const state = await loopState(workspace.store, id);
  if (!state?.stopped || pausesTask(state.stopped.reason)) return null;
  // Its driver may have died before it wrote the log.
  await log.follow(id);
  return state;
}

/** Null if the driver died after it journalled the loop's id and before it created the loop. */
const loopState = async (store: TaskContext["workspace"]["store"], id: string): Promise<LoopState | null> =>
  (await store.load(id).catch(nullOn("loop-unknown")))?.state ?? null;

/** Null if it could not start, which blocks the task. */
async function driven(
  context: TaskContext,
  place: LoopRole,
  id: string,
  planned: PlannedLoop,
): Promise<LoopState | null> {
  const { workspace, stops, view, ledger, cwd } = context;
  const scene: Scene = { task: ledger.task.id, place };
  const known = await loopState(workspace.store, id);
  const isThere = known !== null;
  const wanted = (known?.spec ?? planned.spec).part?.copy;
  const copy = wanted ? await orBlocked(context, () => openCopy(context, wanted)) : undefined;
  if (copy === null) return null;
  const driving = {
    workspace,
    stops,
    view: viewOf(view, scene),
    receipts: cwd,
    taskWork: taskWorkIn(workspace),
    ...(copy ? { copy } : {}),
  };
  try {
    const run = isThere
      ? await resumeLoop(driving, id, { limits: (same) => same, acceptChanges: false })
      : await startLoop(driving, planned.spec, planned.protect, { id, record: planned.record }).catch(unfit);
    if (run instanceof RalphError) return await blockedBy(context, run);
    if (!isThere) for (const warning of planned.warnings) view.say(scene.task, warning);
    return await follow(context, scene, run);
  } catch (error) {
    // The copy was damaged and could not be recreated.
    if (error instanceof RalphError && error.code === COPY_FAILED) return await blockedBy(context, error);
    throw error;
  } finally {
    await copy?.remove();
  }
}

/** A plugin that is missing or rejects its configuration blocks only its own task. */
function unfit(error: unknown): RalphError {
  if (error instanceof RalphError && error.code === "plugin-refused") return error;
  throw error;
}

async function follow({ view, log, spending }: TaskContext, scene: Scene, run: LoopRun): Promise<LoopState> {
  const logged = await log.follow(run.id);
  while (true) {
    const next = await run.changes.next();
    if (next.done) return next.value;
    const { entry, before, after } = next.value;
    view.entry(scene, next.value);
    logged(next.value);
    spending.spend(usageIn(entry.event));
    // A turn with unknown cost is not free.
    const { turns, unpriced, most } = after.unknownCost;
    if (turns + unpriced > before.unknownCost.turns + before.unknownCost.unpriced) spending.estimate(most);
  }
}

const viewOf = (view: TaskContext["view"], scene: Scene): LoopWatcher => ({
  raw: false,
  show: () => undefined,
  check: (kind, command, result) => view.check(scene, kind, command, result),
  note: view.note,
});

/** Worded as in the specification. */
function limitWords(state: LoopState): string {
  const { turn } = state;
  const objection = turn && objectionTo(state, turn);
  if (!turn?.claim || objection === "no-claim") return "Max iterations reached without completion promise";
  const why = turn.verdict?.reason ?? (objection ? objectionWords(objection, turn.guards ?? []) : "none");
  return `Max iterations reached. Last verification: ${why}`;
}

const OUTPUT_CHARS = 2_000;

/** Affects every other task too: stopping is better than failing them all. */
const environmentError = (
  reason: StopReason,
  detail: string,
  { task, place, loop }: { task: string; place: LoopRole; loop: string },
): RalphError =>
  new RalphError(reason, `${task} ${place}: ${[reasonWords(reason, loop).means, detail].filter(Boolean).join(": ")}`, {
    hint: `fix that, then continue with \`ralph execute\`; for another agent first \`ralph cancel ${task}\`, then \`ralph execute --task ${task}\``,
    exitCode: stopFacts(reason).exit,
  });
