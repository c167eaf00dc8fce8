import type { Level } from "../proof/level.ts";
import type { TaskCompletionSpec } from "../schema/criteria.ts";
import type { AgentRole } from "./role.ts";

export const TASK_STATUSES = [
  "todo",
  "implementing",
  "reviewing",
  "testing",
  "qa",
  "done",
  "blocked",
  "cancelled",
  "proposed",
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What a task is called while an agent is at it. */
export const STATUS_OF: Readonly<Record<AgentRole, TaskStatus>> = {
  coder: "implementing",
  reviewer: "reviewing",
  tester: "testing",
  qa: "qa",
};

const BEGUN: ReadonlySet<TaskStatus> = new Set(Object.values(STATUS_OF));
/** Whether an execution has taken a task, and has not come to an end with it. */
export const isBegun = ({ status }: { status: TaskStatus }): boolean => BEGUN.has(status);

/** The document that tasks belong to. */
export interface Spec {
  id: string;
  title: string;
  /** Part of the prompts of its tasks; may be empty. */
  content: string;
  createdAtMs: number;
}

/** Free data of a task. `ralph`, `ralph_failure`, `parent` and `source` are Ralph's; the rest is the user's. */
export type TaskMetadata = Readonly<Record<string, unknown>>;

/** A task as it is written down. */
export interface NewTask {
  id: string;
  specId: string;
  title: string;
  description: string;
  /** 1 comes first. */
  priority: number;
  /** Tasks that have to be done before it. */
  dependencies: readonly string[];
  assignee: string;
  metadata: TaskMetadata;
  completionSpec: TaskCompletionSpec | null;
}

/** A unit of pipeline work, with every field of the document. */
export interface Task extends NewTask {
  status: TaskStatus;
  /** Of the current loop, or of the last one. */
  iteration: number;
  createdAtMs: number;
  updatedAtMs: number;
  /** Cancelled by the user: not started until the user says so. */
  held: boolean;
  /** The loop of its current stage, or the last one; null before the first. */
  loop: string | null;
  /** The level of its proof; null before the coder is done, and for work of older versions. */
  proof: Level | null;
}

/** What the user can change in a task that is not being worked on. */
export type TaskChange = Partial<Omit<NewTask, "id" | "specId">>;

const ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_-])){0,63}$/;

/** Whether something can be the id of a task or a spec: it names a branch and a folder too. */
export const isId = (text: string): boolean => ID.test(text) && !/\.lock$/i.test(text);
export const ID_WORDS = "letters, digits, `.`, `_` and `-`, beginning with a letter or digit, at most 64 of them";
