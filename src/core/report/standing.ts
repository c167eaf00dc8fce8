import { isComplete, stopFacts } from "../loop/stop-reasons.ts";
import type { LoopSummary } from "../loop/store.ts";
import type { TaskState } from "../task/state.ts";
import { isBegun } from "../task/task.ts";
import { phaseOf } from "../workflow/state.ts";
import type { RunSummary } from "../workflow/store.ts";
import type { Standing } from "./report.ts";

interface Stands {
  standing: Standing;
  outcome: string;
  why: string;
  next: string;
}

/** How a task stands; null: it has not started, or was dropped. `held`: an execution works on it. */
export function taskStanding(id: string, state: TaskState, held: boolean): Stands | null {
  const { status, blocked, waits, proposedBy, failure } = state;
  if (status === "done") return { standing: "done", outcome: "merged", why: "", next: `ralph diff ${id}` };
  if (proposedBy !== null)
    return {
      ...{ standing: "waiting", outcome: "proposed", why: `proposed by ${proposedBy}` },
      next: `ralph task show ${id}, then ralph task accept ${id}`,
    };
  if (status === "blocked") {
    const isQuestion = failure?.stop_reason === "blocked";
    const why = blocked ?? "";
    return { ...(isQuestion ? QUESTION : BLOCKED), why, next: `ralph why ${id}` };
  }
  if (state.held)
    return {
      ...{ standing: "waiting", outcome: "held", why: "its work was cancelled" },
      next: `ralph task update ${id} --status todo`,
    };
  if (waits !== null) return { standing: "waiting", outcome: "proven, not merged", why: waits, next: "ralph execute" };
  if (!isBegun(state)) return null;
  return held
    ? { standing: "running", outcome: state.at, why: "", next: `ralph logs -f ${id}` }
    : {
        standing: "waiting",
        outcome: "interrupted",
        why: state.left ?? "no execution works on it",
        next: "ralph execute",
      };
}

const QUESTION = { standing: "waiting", outcome: "question" } as const;
const BLOCKED = { standing: "blocked", outcome: "blocked" } as const;

/** How a loop of its own stands. `decided`: what decided that it stopped. */
export function loopStanding(
  { id, reason, status }: LoopSummary,
  { held, decided, next }: { held: boolean; decided: string; next: string },
): Stands {
  if (reason === null)
    return held
      ? { standing: "running", outcome: status, why: "", next: `ralph logs -f ${id}` }
      : { standing: "waiting", outcome: "interrupted", why: "its driver is gone", next: `ralph resume ${id}` };
  if (isComplete(reason)) return { standing: "done", outcome: reason, why: "", next: `ralph diff ${id}` };
  const standing = stopFacts(reason).notify === "blocked" ? "waiting" : "blocked";
  return { standing, outcome: reason, why: decided, next: next || `ralph why ${id}` };
}

/** How a workflow run stands. */
export function runStanding({ id, status, detail }: RunSummary, held: boolean): Stands {
  if (status === "completed") return { standing: "done", outcome: status, why: "", next: `ralph why ${id}` };
  if (phaseOf(status) === "ended")
    return { standing: "blocked", outcome: status, why: detail, next: `ralph why ${id}` };
  if (held || status === "queued")
    return { standing: "running", outcome: status, why: "", next: `ralph logs -f ${id}` };
  const why = detail || "its driver is gone";
  return { standing: "waiting", outcome: "interrupted", why, next: `ralph workflow resume ${id}` };
}
