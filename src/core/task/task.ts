import type { Level } from "../proof/level.ts";
import type { TaskCompletionSpec } from "../schema/criteria.ts";
import { ROLES } from "./role.ts";

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

const BEGUN: ReadonlySet<TaskStatus> = new Set(Object.values(ROLES).map(({ status }) => status));
/** Whether an execution has taken a task and has not finished it. */
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

/** A task as written by its author. */
export interface NewTask {
  id: string;
  specId: string;
  title: string;
  description: string;
  /** 1 comes first. */
  priority: number;
  /** Tasks that must be done before it. */
  dependencies: readonly string[];
  assignee: string;
  metadata: TaskMetadata;
  completionSpec: TaskCompletionSpec | null;
}

/** A task with all fields. */
export interface Task extends NewTask {
  status: TaskStatus;
  /** The iteration of the current or last loop. */
  iteration: number;
  createdAtMs: number;
  updatedAtMs: number;
  /** Cancelled by the user: not started again until the user asks for it. */
  held: boolean;
  /** The loop of its current stage, or the last one; null before the first. */
  loop: string | null;
  /** The level of its proof; null before the coder is done, and for work of older versions. */
  proof: Level | null;
}

/** The fields the user can change while no agent works on the task. */
export type TaskChange = Partial<Omit<NewTask, "id" | "specId">>;

const ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9_-])){0,63}$/;

/** Whether a value can be the id of a task or a spec: it names a branch and a folder too. */
export const isId = (text: string): boolean => ID.test(text) && !/\.lock$/i.test(text);
export const ID_WORDS = "letters, digits, `.`, `_` and `-`, beginning with a letter or digit, at most 64 of them";
