import { pause } from "../../../adapters/io/timer.ts";
import { decideRun, type LaneWork } from "../../../core/workflow/decide.ts";
import { lanesOf } from "../../../core/workflow/workflow.ts";
import type { LaneEnd, LaneStop, RunContext, RunLane } from "../context.ts";
import { triedAgain } from "../messages.ts";
import { runBashLane } from "./bash-lane.ts";
import { runLoopLane } from "./loop-lane.ts";

/** Works on a lane until it is done, has failed for good, or is stopped. */
export async function runLane(context: RunContext, part: number, lane: number): Promise<LaneStop | null> {
  const { ledger, stops, reporter } = context;
  while (true) {
    const work = workOn(context, part, lane);
    if (!work) return null;
    await waitBefore(context, work, pieceAt(context, part, lane));
    if (stops.request()) return null;
    const end = await attempt(context, part, work);
    if (end.is !== "ended") return end;
    await ledger.write(end.ended);
    if (end.tell !== null) reporter.report({ kind: "progress", text: end.tell, critical: true });
  }
}

function workOn({ ledger }: RunContext, part: number, lane: number): LaneWork | undefined {
  const next = decideRun(ledger.state);
  return next.do === "work" && next.part === part ? next.lanes.find((one) => one.lane === lane) : undefined;
}

async function waitBefore({ ledger, reporter, stops }: RunContext, work: LaneWork, piece: Piece): Promise<void> {
  const failed = ledger.state.lanes[work.lane]?.ended;
  if (failed && "retry" in piece) {
    const again = { attempt: work.attempt, of: piece.retry.attempts + 1, delayMs: work.delayMs };
    const text = triedAgain(piece.name, again, failed.detail);
    reporter.report({ kind: "progress", text });
  }
  if (work.delayMs > 0) await pause(work.delayMs, stops.soft);
}

function attempt(context: RunContext, part: number, work: LaneWork): Promise<LaneEnd> {
  const piece = pieceAt(context, part, work.lane);
  const { name } = piece;
  const lane: RunLane = {
    context,
    part,
    name,
    together: piecesOf(context, part).length > 1,
    work,
    began: { type: "part.began", part, lane: work.lane, attempt: work.attempt, loop: null },
    scene: { part, lane: work.lane, name },
  };
  return piece.kind === "bash" ? runBashLane(lane, piece) : runLoopLane(lane, piece);
}

type Piece = ReturnType<typeof lanesOf>[number];

function piecesOf({ started }: RunContext, part: number): readonly Piece[] {
  const found = started.workflow.parts[part];
  return found ? lanesOf(found) : [];
}

function pieceAt(context: RunContext, part: number, lane: number): Piece {
  const piece = piecesOf(context, part)[lane];
  if (!piece) throw new Error(`part ${part} of the workflow has no lane ${lane}`);
  return piece;
}
