import { lastWords } from "../../../adapters/agents/output.ts";
import { newId } from "../../../adapters/io/new-id.ts";
import { objectionTo } from "../../../core/loop/decide.ts";
import type { Entry, StopReason } from "../../../core/loop/events.ts";
import type { LoopChange } from "../../../core/loop/kind.ts";
import { iterationsDone, type LoopState } from "../../../core/loop/state.ts";
import { stopFacts } from "../../../core/loop/stop-reasons.ts";
import { reasonWords } from "../../../core/loop/words.ts";
import { isLevel } from "../../../core/proof/level.ts";
import { objectionWords } from "../../../core/why.ts";
import type { PartEnded } from "../../../core/workflow/events.ts";
import type { LoopPart, StepPart } from "../../../core/workflow/workflow.ts";
import { type LoopWatcher, UNSEEN } from "../../../runtime/loop-watcher.ts";
import { drivePartLoop, partLoopState } from "../../../runtime/part-loop.ts";
import { startLoop } from "../../../runtime/run-loop.ts";
import type { LaneEnd, RunLane } from "../context.ts";
import {
  completedWith,
  iterationBegins,
  iterationFailed,
  limitReached,
  loopComplete,
  loopFailed,
  loopIncomplete,
  loopName,
  noSessions,
  notProven,
  stopText,
  turnWaits,
} from "../messages.ts";
import { runRecordRef } from "../record/run-record.ts";
import { type LaneReporter, laneReporter } from "./lane-report.ts";
import { partSpec } from "./part-spec.ts";

/** Drives the loop of a step or of a loop to its end, whichever process started it. */
export async function runLoopLane(lane: RunLane, piece: StepPart | LoopPart): Promise<LaneEnd> {
  const { context, work } = lane;
  const { workspace, ledger } = context;
  const known = work.loop === null ? null : await partLoopState(workspace.store, work.loop);
  const id = work.loop ?? newId();
  if (work.loop === null) await ledger.write({ ...lane.began, loop: id });
  const state = known?.stopped && !isPause(known.stopped.reason) ? known : await driven(lane, piece, id, known);
  return endOf(lane, piece, state);
}

/** Whether the user has to fix something before the loop continues. */
const isPause = (reason: StopReason): boolean => stopFacts(reason).run === "paused";

async function driven(
  lane: RunLane,
  piece: StepPart | LoopPart,
  id: string,
  known: LoopState | null,
): Promise<LoopState> {
  const { context, together, name } = lane;
  const { workspace, stops, ledger, reporter } = context;
  const report = laneReporter(reporter, together ? name : null);
  return drivePartLoop(
    { workspace, stops, view: viewOf(lane, report) },
    {
      id,
      known,
      async start(driving) {
        const { started, state } = ledger;
        const spec = await partSpec({ id: context.id, started, state, together }, piece);
        if (spec.context === "fresh" && wantsSessions(piece))
          context.view.say?.(noSessions(spec.agents[0]?.command ?? ""));
        const since = runRecordRef(context, lane.part);
        return startLoop(driving, spec, started.protect ?? [], { id, ...(since ? { since } : {}) });
      },
      onRun: () => listener(lane, piece, report),
    },
  );
}

const wantsSessions = (piece: StepPart | LoopPart): boolean =>
  piece.kind === "loop" ? !piece.freshContext && piece.maxIterations > 1 : !piece.fresh;

const viewOf = ({ context: { view }, scene }: RunLane, report: LaneReporter): LoopWatcher => ({
  ...UNSEEN,
  hear: report.hear,
  check: (kind, command, result) => view.check?.(scene, kind, command, result),
  ...(view.note ? { note: view.note } : {}),
});

const listener =
  (lane: RunLane, piece: StepPart | LoopPart, report: LaneReporter) =>
  async (change: LoopChange): Promise<void> => {
    const { entry, before, after } = change;
    lane.context.view.entry?.(lane.scene, change);
    if (piece.kind === "loop") await noteIteration(lane, piece, entry);
    await tellTurn(lane, entry, { state: after, report });
    tellWait(lane, before, after);
    if (piece.kind === "loop") tellRefusal(lane, entry, after);
  };

/** Reports to a conversation why a loop continues after a promise; a console shows the checks themselves. */
function tellRefusal({ context: { ledger, reporter } }: RunLane, { event }: Entry, state: LoopState): void {
  if (ledger.started.conversation === null || !state.turn?.claim || state.turn.guards === null) return;
  if (event.type !== "turn.ended" && event.type !== "guards.ended" && event.type !== "claim.judged") return;
  const why = state.turn.verdict?.is === "pass" || state.turn.blocked ? null : refusalOf(state);
  if (why !== null) reporter.report({ kind: "progress", text: notProven(why) });
}

/** Shorter waits, in all, are not reported. */
const TOLD_FROM_MS = 30_000;

/** Reports a long wait to a conversation, once for consecutive waits. */
function tellWait({ context: { ledger, reporter } }: RunLane, before: LoopState, { wait, voids }: LoopState): void {
  if (ledger.started.conversation === null || !wait || !voids || before.wait) return;
  const waitMs = wait.untilMs - wait.sinceMs;
  if (voids.waitedMs >= TOLD_FROM_MS || voids.waitedMs + waitMs < TOLD_FROM_MS) return;
  reporter.report({ kind: "progress", text: turnWaits(voids.why, voids.detail, waitMs) });
}

async function noteIteration({ context, part }: RunLane, { maxIterations }: LoopPart, { event }: Entry): Promise<void> {
  if (event.type !== "turn.began") return;
  const { n, attempt } = event;
  const { ledger, reporter } = context;
  // Another attempt is not reported, unless a driver died before it journalled the first one.
  if (attempt > 1 && ledger.state.metadata.iteration_count === n) return;
  await ledger.write({ type: "iteration.began", part, n, maxIterations });
  reporter.report({ kind: "progress", text: iterationBegins(n, maxIterations) });
}

async function tellTurn(
  { context }: RunLane,
  { event }: Entry,
  { state, report }: { state: LoopState; report: LaneReporter },
): Promise<void> {
  if (event.type === "turn.voided") report.turnVoided();
  if (event.type !== "turn.ended") return;
  if (event.source === "text" && !report.heard)
    report.say(await lastWords(context.workspace.blobs, state, OUTPUT_CHARS));
  report.turnEnded();
}

const OUTPUT_CHARS = 20_000;

async function endOf(lane: RunLane, piece: StepPart | LoopPart, state: LoopState): Promise<LaneEnd> {
  const { reason, detail } = state.stopped ?? { reason: "interrupted" as const, detail: "" };
  const { run } = stopFacts(reason);
  if (run === "cancelled") return { is: "cancelled", by: state.stopRequest?.by ?? "a person", ended: await ended() };
  if (run === "paused") return { is: "paused", why: pauseWords(reason, detail, lane.context.id) };
  return { is: "ended", ended: await ended(), tell: tellingOf(lane, piece, state) };

  async function ended(): Promise<PartEnded> {
    const { began } = lane;
    const isDone = run === "done";
    return {
      type: "part.ended",
      part: began.part,
      lane: began.lane,
      attempt: began.attempt,
      is: isDone ? "done" : "failed",
      reason,
      proof: isLevel(reason) ? reason : null,
      detail: isDone ? (state.turn?.verdict?.weak ?? []).join("; ") : failureWords(piece, state),
      iterations: iterationsDone(state),
      output: await lastWords(lane.context.workspace.blobs, state, OUTPUT_CHARS),
      session: sessionOf(state),
      spent: state.spent,
    };
  }
}

function sessionOf({ spec, agent, sessionId, sessionUsage }: LoopState): PartEnded["session"] {
  const command = spec?.agents[agent]?.command;
  return sessionId === null || command === undefined ? null : { agent: command, id: sessionId, usage: sessionUsage };
}

function pauseWords(reason: StopReason, detail: string, run: string): string {
  const { means, next } = reasonWords(reason, "", { run: { run } });
  const words = [means, detail].filter(Boolean).join(": ");
  return reason === "interrupted" || next === "" ? words : `${words} — ${next}`;
}

function failureWords(piece: StepPart | LoopPart, state: LoopState): string {
  const { reason, detail } = state.stopped ?? { reason: "interrupted" as const, detail: "" };
  if (piece.kind === "loop" && reason === "iteration-limit") return limitReached(piece, refusalOf(state));
  const why = stopText(reason, reasonWords(reason, "").means, detail);
  return piece.kind === "loop" && state.n > 0 ? iterationFailed(state.n, why) : why;
}

/** Why the last claim was refused, or the checks that ran without one did not pass. */
function refusalOf(state: LoopState): string | null {
  const { turn } = state;
  if (!turn) return null;
  if (turn.verdict) return turn.verdict.reason;
  const objection = objectionTo(state, turn);
  return objection === null || objection === "no-claim" ? null : objectionWords(objection, turn.guards ?? []);
}

/** The report of a loop's end; null for a step, which the run itself reports. */
function tellingOf({ context }: RunLane, piece: StepPart | LoopPart, state: LoopState): string | null {
  if (piece.kind === "step") return null;
  const { workflow } = context.ledger.started;
  const { reason, detail } = state.stopped ?? { reason: "interrupted" as const, detail: "" };
  const name = loopName(workflow, piece);
  if (reason === "iteration-limit") return loopIncomplete(name, failureWords(piece, state));
  if (!isLevel(reason))
    return loopFailed(Math.max(1, state.n), stopText(reason, reasonWords(reason, "").means, detail));
  return `${loopComplete(name, iterationsDone(state))}\n\n${completedWith(reason, state.turn?.verdict?.weak ?? [])}`;
}
