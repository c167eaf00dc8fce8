import type { LoopRole } from "./events.ts";
import type { TaskState } from "./state.ts";
import type { TaskStatus } from "./task.ts";

export type TaskDecision =
  /** Make its branch and worktree. */
  | { do: "prepare" }
  /** Drive a loop to its end; `loop` null: a new one. */
  | { do: "stage"; place: LoopRole; loop: string | null }
  /** Bring its branch up to date with the target, check the result, and make the commit that the target gets. */
  | { do: "merge" }
  /** Move the target to the commit that was proven, unless it has it. */
  | { do: "move"; commit: string; onto: string }
  /** Nothing more for now. */
  | { do: "rest"; as: "done" | "blocked" | "cancelled" | "held" | "failed" };

/** What is next for a task that an execution has taken. */
export function decideTask(s: TaskState): TaskDecision {
  if (s.held || s.proposedBy !== null) return { do: "rest", as: "held" };
  if (s.status === "done" || s.status === "blocked" || s.status === "cancelled") return { do: "rest", as: s.status };
  if (s.status === "todo") return { do: "rest", as: "failed" };
  if (!s.work) return { do: "prepare" };
  if (s.at !== "merge") return { do: "stage", place: s.at, loop: s.loop };
  return s.candidate ? { do: "move", ...s.candidate } : { do: "merge" };
}

/** What a task can become from each status. */
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
