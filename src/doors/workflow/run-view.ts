import type { CheckResult } from "../../core/loop/events.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { Note } from "../../core/loop/notes.ts";
import type { RunEvent } from "../../core/workflow/events.ts";
import type { RunState } from "../../core/workflow/state.ts";

/** What of a run is looked at. */
export interface RunScene {
  part: number;
  lane: number;
  /** The name of the step, the command or the loop. */
  name: string;
}

/** What a person, or a script, watches while a run is driven, beside what it is told. */
export interface RunView {
  /** Every fact about the run, once it is durable. */
  run?(event: RunEvent, state: RunState): void;
  /** Every entry of its loops, once it is durable. */
  entry?(scene: RunScene, change: LoopChange): void;
  check?(scene: RunScene, kind: string, command: string, result: CheckResult | null): void;
  /** What went on beside a loop. */
  note?(note: Note): void;
  /** What a person should know. */
  say?(words: string): void;
}
