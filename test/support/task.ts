import type { LoopStore } from "../../src/core/loop/store.ts";
import type { StageEnded, TaskEvent } from "../../src/core/task/events.ts";
import { taskKind } from "../../src/core/task/kind.ts";
import { AGENT_ROLES } from "../../src/core/task/role.ts";
import type { LoadedTask, TaskStore } from "../../src/core/task/store.ts";
import type { NewTask } from "../../src/core/task/task.ts";
import { writeTo } from "./journal.ts";

/** A task with only the values that a test names. */
export const someTask = (id: string, task: Partial<NewTask> = {}): NewTask => ({
  id,
  specId: "a-spec",
  title: `Task ${id}`,
  description: "",
  priority: 1,
  dependencies: [],
  assignee: "",
  metadata: {},
  completionSpec: null,
  ...task,
});

export const taken: TaskEvent = {
  type: "task.taken",
  execution: "an execution",
  stages: AGENT_ROLES,
  limits: { maxAttempts: 3, maxRounds: 3 },
};
export const prepared: TaskEvent = {
  type: "work.prepared",
  work: { branch: "task/it", target: "main", base: "b0", worktree: "/w" },
  fingerprints: { "check.sh": "1" },
};
export const began = (place: StageEnded["place"], loop: string): TaskEvent => ({ type: "stage.began", place, loop });
export const ended = (place: StageEnded["place"], loop: string, reason: StageEnded["reason"]): TaskEvent => ({
  type: "stage.ended",
  place,
  loop,
  reason,
  detail: "",
  iterations: 3,
  findings: [],
  lastOutput: "the end",
  fingerprints: null,
});
export const merged: TaskEvent = { type: "task.merged", commit: "c1" };

/** All events of a task until it is done. */
export const finished: readonly TaskEvent[] = [taken, prepared, began("qa", "l"), ended("qa", "l", "verified"), merged];

/** Appends events to a task's journal. */
export function tell(store: TaskStore, id: string, events: readonly TaskEvent[], atMs = 5_000): Promise<LoadedTask> {
  return writeTo(taskKind, store, { id, events, atMs });
}

/** One empty database, for one test. */
export interface TaskStores {
  /** Another connection to it. */
  open(): Promise<LoopStore & { tasks: TaskStore }>;
  /** A process that creates this many tasks, one by one. */
  createElsewhere(prefix: string, tasks: number): Promise<string>;
  /** This many processes load the task, then all write its next entry; they print `won` or the error's code. */
  raceElsewhere(task: string, racers: number): Promise<string[]>;
}

export const idsOf = (tasks: readonly { id: string }[]): string[] => tasks.map(({ id }) => id);

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
