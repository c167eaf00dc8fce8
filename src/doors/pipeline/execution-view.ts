import type { CheckResult } from "../../core/loop/events.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { Note } from "../../core/loop/notes.ts";
import type { TaskEvent } from "../../core/task/events.ts";
import type { Place } from "../../core/task/role.ts";
import type { TaskState } from "../../core/task/state.ts";

/** What of a task is looked at. */
export interface Scene {
  task: string;
  place: Place | "merge" | "work";
}

/** What a person, or a script, watches while tasks are executed. */
export interface ExecutionView {
  task(id: string, event: TaskEvent, state: TaskState): void;
  entry(scene: Scene, change: LoopChange): void;
  check(scene: Scene, kind: string, command: string, result: CheckResult | null): void;
  /** What went on beside a loop. */
  note(note: Note): void;
  /** What a person should know; null: about no task in particular. */
  say(task: string | null, words: string): void;
}
