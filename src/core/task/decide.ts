import type { LoopRole } from "./role.ts";
import type { TaskState } from "./state.ts";
import type { TaskStatus } from "./task.ts";

export type TaskDecision =
  /** Create its branch and worktree. */
  | { do: "prepare" }
  /** Drive a loop until it stops; `loop` null: a new one. */
  | { do: "stage"; place: LoopRole; loop: string | null }
  /** Update its branch from the target, check the result, and create the commit for the target. */
  | { do: "merge" }
  /** Move the target to the proven commit, unless it already contains it. */
  | { do: "move"; commit: string; onto: string }
  /** Nothing more for now. */
  | { do: "rest"; as: "done" | "blocked" | "cancelled" | "held" | "failed" };

/** The next action for a task that an execution has taken. */
export function decideTask(s: TaskState): TaskDecision {
  if (s.held || s.proposedBy !== null) return { do: "rest", as: "held" };
  if (s.status === "done" || s.status === "blocked" || s.status === "cancelled") return { do: "rest", as: s.status };
  if (s.status === "todo") return { do: "rest", as: "failed" };
  if (!s.work) return { do: "prepare" };
  if (s.at !== "merge") return { do: "stage", place: s.at, loop: s.loop };
  return s.candidate ? { do: "move", ...s.candidate } : { do: "merge" };
}

/** The allowed status changes. */
export const TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  todo: ["implementing", "reviewing", "testing", "qa", "blocked", "cancelled", "proposed"],
  implementing: ["reviewing", "testing", "qa", "todo", "blocked", "cancelled"],
  reviewing: ["implementing", "testing", "qa", "todo", "blocked", "cancelled"],
  testing: ["implementing", "reviewing", "qa", "todo", "blocked", "cancelled"],
  qa: ["implementing", "reviewing", "testing", "done", "todo", "blocked", "cancelled"],
  done: [],
  blocked: ["todo", "cancelled"],
  cancelled: ["todo", "proposed"],
  proposed: ["todo", "cancelled"],
};

export const canBecome = (from: TaskStatus, to: TaskStatus): boolean => from === to || TRANSITIONS[from].includes(to);
