import type { Fence, Journals, Loaded, Written } from "../journals.ts";
import type { TaskEvent } from "./events.ts";
import type { TaskTypes } from "./kind.ts";
import type { TaskState } from "./state.ts";
import type { NewTask, Spec, Task, TaskChange, TaskStatus } from "./task.ts";

/** A spec in a list. */
export interface SpecSummary extends Omit<Spec, "content"> {
  tasks: number;
  done: number;
}

/** A task in a list, without the fields that only its own page shows. */
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

/** A task as loaded by its driver, with its row. */
export interface LoadedTask extends Loaded<TaskState> {
  task: Task;
}

/** A change of a task's row, and entries for its journal that were made from its state at the fence. */
export interface WrittenChange {
  id: string;
  change: TaskChange;
  written: (Written<TaskTypes> & { fence: Fence }) | null;
}

/** A task whose row was removed. */
export type LostTask = Pick<LoadedTask, "task" | "state">;

/**
 * Specs and tasks, in the same database as the journals of loops. Every write is one durable transaction. Invalid input
 * (a duplicate id, a missing task, a dependency cycle) throws a RalphError that names it, and nothing is written.
 */
export interface TaskStore extends Journals<TaskTypes> {
  createSpec(spec: Omit<Spec, "createdAtMs">, atMs: number): Promise<Spec>;
  /** Null: no task has that id. */
  spec(id: string): Promise<Spec | null>;
  specs(): Promise<SpecSummary[]>;
  /**
   * Creates all of them or none. They may depend on each other. Missing specs are created; their ids are returned.
   * `first` is the first entry of their journals: who wrote them.
   */
  create(tasks: readonly NewTask[], atMs: number, first?: TaskEvent): Promise<string[]>;
  find(id: string): Promise<Task>;
  /** Ordered by priority, then by how many tasks wait for it, then by age. */
  list(filter?: TaskFilter): Promise<TaskSummary[]>;
  /** Every task with all its fields, in pages, for an export. */
  all(filter?: Pick<TaskFilter, "spec">): AsyncIterable<Task>;
  /** The number of tasks of each status. */
  counts(spec?: string): Promise<Readonly<Partial<Record<TaskStatus, number>>>>;
  update(id: string, change: TaskChange, atMs: number): Promise<Task>;
  /** Writes all changes in one transaction, the entries of each before its row: all of them or none. */
  updateAll(changes: readonly WrittenChange[], atMs: number): Promise<Task[]>;
  /** Refused while other tasks depend on it, or while it has unmerged work. */
  remove(id: string): Promise<void>;
  /** Tasks to run, in order: ready ones, or with `begun` those that were started but not finished. */
  next(filter: { begun: boolean; spec?: string; limit: number }): Promise<TaskSummary[]>;
  /** Its state comes from its journal, whatever its row says. */
  load(id: string): Promise<LoadedTask>;
  /** Corrects a task's row from its journal; returns the row's previous status if it was different. */
  repair(id: string): Promise<TaskStatus | null>;
  /** Recounts how many tasks each task waits for, and how many wait for it: lists are ordered by these counts. */
  recount(): Promise<void>;
  /** Restores tasks whose rows were removed, from their execution's data. */
  restore(lost: readonly LostTask[], by: string, atMs: number): Promise<void>;
}
