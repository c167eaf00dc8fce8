import type { LoopSummary } from "../loop/store.ts";
import type { TaskSummary } from "../task/store.ts";

/** What the loops of a task have used. */
export interface Spent {
  costUsd: number;
  tokens: number;
}

/** The tasks of a view, in the order in which they are started. */
export interface TaskRows {
  tasks: readonly TaskSummary[];
  /** Those whose journal shows more than their row: in work, blocked, proposed, or failed before. */
  told: readonly string[];
  /** Changes with every task that is created, changed or removed; at most two changes in one millisecond are missed. */
  mark: string;
}

/** What has changed since an entry of the feed, at one moment. */
export interface ChangedRows {
  /** The last entry of the feed. */
  at: number;
  /** The subjects with new entries: `loop/ab12`, `task/T-1`, `run/…`, `message/…`. */
  subjects: readonly string[];
  /** Of these the loops. */
  loops: readonly LoopSummary[];
  /** By task, of the tasks of these loops. */
  spent: ReadonlyMap<string, Spent>;
  /** What the new entries of all loops since `sinceMs` have cost. */
  newUsd: number;
  /** All tasks; null if none has changed since `mark`. */
  tasks: TaskRows | null;
}

/** The rows of a board, each read in one transaction. */
export interface BoardRows {
  /** The loops that have not stopped, the newest others, and the current or last one of every task. */
  all(wanted: { stopped: number; sinceMs: number }): Promise<Omit<ChangedRows, "subjects">>;
  /** With an empty `mark`, all tasks are read. */
  since(known: { at: number; mark: string; sinceMs: number }): Promise<ChangedRows>;
  /** What all loops of a task have used. */
  spentOn(task: string): Promise<Spent>;
}
