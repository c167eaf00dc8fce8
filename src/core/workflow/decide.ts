import { ENDED, type RunState } from "./state.ts";
import { lanesOf } from "./workflow.ts";

export type RunDecision =
  /** Drive these lanes of the part at hand, each to its end. */
  | { do: "work"; part: number; lanes: readonly LaneWork[] }
  | { do: "end"; status: "completed" | "failed"; detail: string }
  | { do: "rest" };

export interface LaneWork {
  lane: number;
  attempt: number;
  /** A loop that was begun for it; null: begin one. */
  loop: string | null;
  /** To wait before it, as an attempt before has failed. */
  delayMs: number;
}

/** What is next for a run. Every lane comes to its end before one that has failed for good ends the run. */
export function decideRun(s: RunState): RunDecision {
  const parts = s.started?.workflow.parts;
  if (!parts || ENDED.has(s.status)) return { do: "rest" };
  const part = parts[s.part];
  if (!part) return { do: "end", status: "completed", detail: "" };
  const pieces = lanesOf(part);
  const lanes = s.lanes.flatMap((lane, i): LaneWork[] => {
    const piece = pieces[i];
    if (!piece || lane.ended?.is === "done") return [];
    if (!lane.ended) return [{ lane: i, attempt: Math.max(1, lane.attempt), loop: lane.loop, delayMs: 0 }];
    const { attempts, delayMs } = "retry" in piece ? piece.retry : { attempts: 0, delayMs: 0 };
    return lane.attempt <= attempts ? [{ lane: i, attempt: lane.attempt + 1, loop: null, delayMs }] : [];
  });
  if (lanes.length > 0) return { do: "work", part: s.part, lanes };
  const failed = s.lanes.find((lane) => lane.ended?.is === "failed");
  return { do: "end", status: "failed", detail: failed?.ended?.detail ?? "" };
}
