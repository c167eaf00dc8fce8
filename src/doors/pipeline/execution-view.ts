import type { CheckResult } from "../../core/loop/events.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { Note } from "../../core/loop/notes.ts";
import type { TaskEvent } from "../../core/task/events.ts";
import type { LoopRole } from "../../core/task/role.ts";
import type { TaskState } from "../../core/task/state.ts";

/** The part of a task that an event belongs to. */
export interface Scene {
  task: string;
  place: LoopRole | "merge" | "work";
}

/** Shows an execution to the user or a script. */
export interface ExecutionView {
  task(id: string, event: TaskEvent, state: TaskState): void;
  entry(scene: Scene, change: LoopChange): void;
  check(scene: Scene, kind: string, command: string, result: CheckResult | null): void;
  /** Shows what happened outside a loop. */
  note(note: Note): void;
  /** Shows a message; `task` is null if it is about no task in particular. */
  say(task: string | null, words: string): void;
}
