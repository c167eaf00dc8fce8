import { lastWords } from "../../../adapters/agents/output.ts";
import { newId } from "../../../adapters/io/new-id.ts";
import { RalphError } from "../../../core/errors.ts";
import { objectionTo } from "../../../core/loop/decide.ts";
import type { StopReason } from "../../../core/loop/events.ts";
import { keptSettings } from "../../../core/loop/kept-settings.ts";
import type { LoopChange } from "../../../core/loop/kind.ts";
import { noteWords } from "../../../core/loop/notes.ts";
import { iterationsDone, type LoopState, stopOf } from "../../../core/loop/state.ts";
import { isOutOfIterations, pausesTask, stopFacts } from "../../../core/loop/stop-reasons.ts";
import { reasonWords } from "../../../core/loop/words.ts";
import { isLevel, type Level } from "../../../core/proof/level.ts";
import { JUDGE_UNAVAILABLE, labelsOf } from "../../../core/proof/level-of.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { usageIn } from "../../../core/task/execution-log.ts";
import { LIMIT_WORDS } from "../../../core/task/reduce.ts";
import { type LoopRole, ROLES } from "../../../core/task/role.ts";
import { objectionWords } from "../../../core/why.ts";
import { type LoopWatcher, UNSEEN } from "../../../runtime/loop-watcher.ts";
import { drivePartLoop, partLoopState } from "../../../runtime/part-loop.ts";
import { startLoop } from "../../../runtime/run-loop.ts";
import { blockedBy, orBlocked, type Scene, type TaskContext, type TaskEnd } from "../context.ts";
import { renewTaskRecord } from "../pins/task-record.ts";
import { COPY_FAILED, changedBeside, copyFor, openCopy } from "./copy.ts";
import { keptWords } from "./restart.ts";
import { type PlannedLoop, stageLoop } from "./stage-plan.ts";
import { taskWorkIn } from "./task-work.ts";

interface Stage {
  place: LoopRole;
  /** Null if it has not started. */
  loop: string | null;
}

/** Drives the loop of a stage to its end, even if another process started it, and journals the result. */
export async function runStage(context: TaskContext, { place, loop }: Stage): Promise<TaskEnd | null> {
  const { ledger, workspace, log } = context;
  const planned = await orBlocked(context, async () =>
    stageLoop(context, place, ROLES[place].onCopy ? await copyFor(context) : undefined),
  );
  if (!planned) return null;
  const id = loop ?? newId();
  if (loop === null) await ledger.write({ type: "stage.began", place, loop: id });
  const state = await orBlockedByJournal(context, async () => {
    const known = await partLoopState(workspace.store, id);
    if (!known?.stopped || pausesTask(known.stopped.reason))
      return driven(context, { scene: { task: ledger.task.id, place }, id, known }, planned);
    // Its driver may have died before it wrote the log.
    await log.follow(id);
    return known;
  });
  if (!state) return null;
  const { reason, detail } = stopOf(state);
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
  const { reason, detail } = stopOf(state);
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
    detail: isOutOfIterations(reason) ? limitWords(state) : detail,
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
  const decides =
    (spec?.part && ROLES[spec.part.place].measuresProof) || !stages.some((role) => ROLES[role].measuresProof);
  return decides || labelsOf(turn?.verdict?.checks ?? []).includes(JUDGE_UNAVAILABLE) ? level : null;
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

/** Null if it could not start, which blocks the task. */
async function driven(
  context: TaskContext,
  { scene, id, known }: { scene: Scene; id: string; known: LoopState | null },
  planned: PlannedLoop,
): Promise<LoopState | null> {
  const { workspace, stops, view, cwd } = context;
  if (known?.spec) sayKept(context, scene, known, planned);
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
    return await drivePartLoop(driving, {
      id,
      known,
      async start() {
        const run = await startLoop(driving, planned.spec, planned.protect, { id, record: planned.record });
        for (const warning of planned.warnings) view.say(scene.task, warning);
        return run;
      },
      onRun: () => listener(context, scene, id),
    });
  } catch (error) {
    if (error instanceof RalphError && BLOCKING.has(error.code)) return await blockedBy(context, error);
    throw error;
  } finally {
    await copy?.remove();
  }
}

/** An unfinished loop keeps the settings that it began with. */
function sayKept(
  { view }: TaskContext,
  { task, place }: Scene,
  { spec, limits }: LoopState,
  planned: PlannedLoop,
): void {
  const kept = spec ? keptSettings({ ...spec, limits }, planned.spec) : [];
  if (kept.length > 0) view.say(task, keptWords(place, kept));
}

/** These block only their own task: a plugin is missing or rejects its configuration; a damaged copy cannot be recreated. */
const BLOCKING: ReadonlySet<string> = new Set(["plugin-refused", COPY_FAILED]);

const viewOf = (view: TaskContext["view"], scene: Scene): LoopWatcher => ({
  ...UNSEEN,
  check: (kind, command, result) => view.check(scene, kind, command, result),
  // Several tasks run at once, so a warning about checks has to name its task.
  note: (note) =>
    note.type === "checks.unprotected"
      ? view.say(scene.task, noteWords(note).replace(/^warning: /, ""))
      : view.note(note),
});

async function listener({ view, log, spending }: TaskContext, scene: Scene, loop: string) {
  const logged = await log.follow(loop);
  return (change: LoopChange): void => {
    const { entry, before, after } = change;
    view.entry(scene, change);
    logged(change);
    spending.spend(usageIn(entry.event));
    // A turn with unknown cost is not free.
    const { turns, unpriced, most } = after.unknownCost;
    if (turns + unpriced > before.unknownCost.turns + before.unknownCost.unpriced) spending.estimate(most);
  };
}

/** Worded as in the specification. */
function limitWords(state: LoopState): string {
  const { turn } = state;
  const objection = turn && objectionTo(state, turn);
  if (!turn?.claim || objection === "no-claim") return LIMIT_WORDS;
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
