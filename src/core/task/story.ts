import type { StopReason } from "../loop/events.ts";
import { isLevel } from "../proof/level.ts";
import type { StageEnded, TaskEntry, TaskEvent } from "./events.ts";
import { reduceTask } from "./reduce.ts";
import type { LoopRole } from "./role.ts";
import { NEW_TASK, type TaskState } from "./state.ts";

/** Where the work of a task begins again: a new attempt, or a round after something was sent back. */
export interface StoryRound {
  is: "round";
  atMs: number;
  attempt: number;
  /** From 1. */
  round: number;
  /** Who sent it back to the coder; null for the first round of an attempt. */
  sentBackBy: LoopRole | "merge" | null;
}

/** A stage, or the loop that resolves merge conflicts. */
export interface StoryStage {
  is: "stage";
  atMs: number;
  place: LoopRole;
  loop: string;
  /** How it ended; null if it has not. */
  reason: StopReason | null;
  detail: string;
  iterations: number;
  findings: readonly string[];
  weak: readonly string[];
  /** `passed`: the next stage follows. `failed`: this attempt is over. `open`: it has not ended. */
  effect: "passed" | "sent-back" | "failed" | "blocked" | "open";
}

/** Anything else: it was taken, updated, merged, cancelled. */
export interface StoryEvent {
  is: "event";
  atMs: number;
  event: Exclude<TaskEvent, StageEnded | { type: "stage.began" }>;
  /** Whether it sent the task back to the coder, or blocked it. */
  effect: "sent-back" | "blocked" | null;
}

export type StoryStep = StoryRound | StoryStage | StoryEvent;

/** Reads a task's journal step by step, in bounded memory. */
export async function* storyOf(entries: AsyncIterable<Pick<TaskEntry, "event" | "atMs">>): AsyncGenerator<StoryStep> {
  const reading: Reading = { state: NEW_TASK, open: null, round: "" };
  for await (const { event, atMs } of entries) yield* stepsOf(reading, event, atMs);
  if (reading.open) yield reading.open;
}

interface Reading {
  state: TaskState;
  /** The stage that has not ended. */
  open: StoryStage | null;
  /** The attempt and round that were shown last. */
  round: string;
}

function stepsOf(reading: Reading, event: TaskEvent, atMs: number): StoryStep[] {
  const before = reading.state;
  const after = reduceTask(before, event);
  reading.state = after;
  if (event.type === "stage.ended") return before.loop === event.loop ? [endOf(reading, event, { before, atMs })] : [];
  if (event.type === "stage.began") return beginningOf(reading, event, atMs);
  // A retry begins to count again.
  if (event.type === "task.retried" || event.type === "work.prepared") reading.round = "";
  // It takes a task again for its next attempt.
  if (event.type === "task.taken" && event.execution === before.execution) return cutOff(reading);
  return [...cutOff(reading), { is: "event", atMs, event, effect: effectOf(before, after) }];
}

/** The stage that never ended, if the task no longer waits for it. */
function cutOff(reading: Reading): StoryStage[] {
  const { open, state } = reading;
  if (!open || state.loop === open.loop) return [];
  reading.open = null;
  return [open];
}

function beginningOf(
  reading: Reading,
  { place, loop }: TaskEvent & { type: "stage.began" },
  atMs: number,
): StoryStep[] {
  const round = roundOf(reading.state, atMs);
  const key = `${round.attempt}/${round.round}`;
  const steps = [...cutOff(reading), ...(key === reading.round ? [] : [round])];
  reading.round = key;
  reading.open = { ...NOT_ENDED, atMs, place, loop };
  return steps;
}

function endOf(reading: Reading, event: StageEnded, { before, atMs }: { before: TaskState; atMs: number }): StoryStage {
  const { place, loop, reason, detail, iterations, findings, weak = [] } = event;
  const effect = isLevel(reason) ? "passed" : (effectOf(before, reading.state) ?? "failed");
  const began = reading.open?.loop === loop ? reading.open.atMs : atMs;
  reading.open = null;
  return { is: "stage", atMs: began, place, loop, reason, detail, iterations, findings, weak, effect };
}

const NOT_ENDED = {
  is: "stage",
  reason: null,
  detail: "",
  iterations: 0,
  findings: [],
  weak: [],
  effect: "open",
} as const;

const roundOf = ({ attempt, rounds, findings }: TaskState, atMs: number): StoryRound => ({
  is: "round",
  atMs,
  attempt,
  round: rounds + 1,
  sentBackBy: rounds > 0 ? (findings?.from ?? null) : null,
});

function effectOf(before: TaskState, after: TaskState): "sent-back" | "blocked" | null {
  if (after.status === "blocked" && before.status !== "blocked") return "blocked";
  return after.rounds > before.rounds ? "sent-back" : null;
}
