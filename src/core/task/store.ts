import type { Journals, Loaded } from "../store.ts";
import type { TaskEvent } from "./events.ts";
import type { TaskTypes } from "./kind.ts";
import type { TaskState } from "./state.ts";
import type { NewTask, Spec, Task, TaskChange, TaskStatus } from "./task.ts";

/** A spec in a list. */
export interface SpecSummary extends Omit<Spec, "content"> {
  tasks: number;
  done: number;
}

/** A task in a list: everything but what only its own page shows. */
export type TaskSummary = Omit<Task, "description" | "metadata" | "completionSpec">;

export interface TaskFilter {
  spec?: string;
  status?: readonly TaskStatus[];
  /** Only those that can start now. */
  ready?: boolean;
  /** Only those that follow up another task. */
  parent?: string;
  limit?: number;
}

/** A task as its driver has it, with its row. */
export interface LoadedTask extends Loaded<TaskState> {
  task: Task;
}

/** A task whose row is gone. */
export type LostTask = Pick<LoadedTask, "task" | "state">;

/**
 * Specs and tasks, beside the journal of loops in the same database. Everything that writes is one durable transaction;
 * what does not fit (an id that is taken, a task that is not there, a circle of dependencies) throws a RalphError that
 * names it, and nothing is written.
 */
export interface TaskStore extends Journals<TaskTypes> {
  createSpec(spec: Omit<Spec, "createdAtMs">, atMs: number): Promise<Spec>;
  /** Null: no task has that id. */
  spec(id: string): Promise<Spec | null>;
  specs(): Promise<SpecSummary[]>;
  /**
   * All of them or none. They may depend on each other. Specs that are not there are made; their ids are returned.
   * `first` is what their journals begin with: who has written them down.
   */
  create(tasks: readonly NewTask[], atMs: number, first?: TaskEvent): Promise<string[]>;
  find(id: string): Promise<Task>;
  /** By priority, then those that more tasks wait for, then age. */
  list(filter?: TaskFilter): Promise<TaskSummary[]>;
  /** Every task with all its fields, in pages, as an export needs them. */
  all(filter?: Pick<TaskFilter, "spec">): AsyncIterable<Task>;
  /** How many there are of each status. */
  counts(spec?: string): Promise<Readonly<Partial<Record<TaskStatus, number>>>>;
  update(id: string, change: TaskChange, atMs: number): Promise<Task>;
  /** Refused while other tasks depend on it, or while it has work that is not merged. */
  remove(id: string): Promise<void>;
  /** Tasks to run, in order: ready ones, or with `begun` those that were started and not finished. */
  next(filter: { begun: boolean; spec?: string; limit: number }): Promise<TaskSummary[]>;
  /** With the state that its journal says, whatever its row says. */
  load(id: string): Promise<LoadedTask>;
  /** Sets what follows from a task's journal right in its row; the status that the row had, where it had another one. */
  repair(id: string): Promise<TaskStatus | null>;
  /** Counts anew what tasks wait for, and how many wait for each: lists go by that. */
  recount(): Promise<void>;
  /** Restores tasks whose rows are gone, from what their execution knows. */
  restore(lost: readonly LostTask[], by: string, atMs: number): Promise<void>;
}
