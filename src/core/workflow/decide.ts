import { type StopReason, stopFacts } from "../loop/stop-reasons.ts";
import { hasEnded, type Lane, type RunState } from "./state.ts";
import { lanesOf, type ParallelPart, type Part } from "./workflow.ts";

export type RunDecision =
  /** Drive these lanes of the current part until each has ended. */
  | { do: "work"; part: number; lanes: readonly LaneWork[] }
  | { do: "end"; status: "completed" | "failed"; detail: string }
  | { do: "rest" };

export interface LaneWork {
  lane: number;
  attempt: number;
  /** The loop that was started for it; null: start one. */
  loop: string | null;
  /** The delay before it, after a failed attempt. */
  delayMs: number;
}

/** The next action for a run. All lanes end before a lane that failed permanently ends the run. */
export function decideRun(s: RunState): RunDecision {
  const parts = s.started?.workflow.parts;
  if (!parts || hasEnded(s.status)) return { do: "rest" };
  const part = parts[s.part];
  if (!part) return { do: "end", status: "completed", detail: "" };
  const pieces = lanesOf(part);
  const lanes = s.lanes.flatMap((lane, i): LaneWork[] => {
    const piece = pieces[i];
    const work = piece ? workOn(piece, lane) : null;
    return work ? [{ lane: i, ...work }] : [];
  });
  if (lanes.length > 0) return { do: "work", part: s.part, lanes };
  const failed = s.lanes.find((lane) => lane.ended?.is === "failed");
  return { do: "end", status: "failed", detail: failed?.ended?.detail ?? "" };
}

/** Another attempt would end the same way. */
const isPausing = (reason: StopReason | null): boolean => reason !== null && stopFacts(reason).run === "paused";

function workOn(piece: Exclude<Part, ParallelPart>, { attempt, loop, ended }: Lane): Omit<LaneWork, "lane"> | null {
  if (!ended) return { attempt: Math.max(1, attempt), loop, delayMs: 0 };
  if (ended.is === "done" || !("retry" in piece) || isPausing(ended.reason)) return null;
  return attempt <= piece.retry.attempts ? { attempt: attempt + 1, loop: null, delayMs: piece.retry.delayMs } : null;
}
