import { phaseOf, type RunStatus } from "../workflow/state.ts";
import type { Card } from "./card.ts";
import type { LoopLine } from "./loop-line.ts";

/** What the user can do with a task: `cancel` stops its work and holds it, `drop` keeps it from being run at all. */
export type TaskAction = "accept" | "retry" | "cancel" | "drop";

type Task = Pick<Card, "status" | "held" | "attempt">;

/** What can be done with a task now, the most likely first. */
export function taskActions({ status, held, attempt }: Task): readonly TaskAction[] {
  switch (status) {
    case "done":
      return [];
    case "cancelled":
      return ["retry"];
    case "proposed":
      return ["accept", "drop"];
    case "blocked":
      return ["retry", "drop"];
    case "todo":
      return held || attempt > 1 ? ["retry", "drop"] : ["drop"];
    default:
      return ["cancel"];
  }
}

/** What can be done with a loop now. One of a task or of a workflow is resumed with it. */
export function loopActions({ status, driven, proof, part, run }: LoopLine): readonly ("cancel" | "resume")[] {
  const isResumable = !driven && proof === null && part === null && run === null;
  return [...(status === "stopped" ? [] : ["cancel" as const]), ...(isResumable ? ["resume" as const] : [])];
}

/** What can be done with a run of a workflow now: one whose process is gone is resumed. */
export function runActions({ status, held }: { status: RunStatus; held: boolean }): readonly ("cancel" | "resume")[] {
  const isLeft = status === "running" && !held;
  const isResumable = isLeft || phaseOf(status) === "paused";
  return [...(isResumable ? ["resume" as const] : []), ...(phaseOf(status) === "ended" ? [] : ["cancel" as const])];
}
