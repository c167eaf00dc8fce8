import * as z from "zod";
import type { TaskEvent } from "../task/events.ts";
import { AGENT_ROLES } from "../task/role.ts";
import type { TaskState } from "../task/state.ts";
import { TASK_STATUSES } from "../task/task.ts";
import { component, limitOf, loosely, operation, yesNo } from "./api.ts";
import { level, moment, specParam, specQuery, taskParam } from "./api-atoms.ts";
import type { TaskCompletionSpec } from "./criteria.ts";

const tag = "tasks";

const taskShape = {
  id: z.string(),
  spec_id: z.string(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  priority: z.number().describe("1 comes first"),
  dependencies: z.array(z.string()),
  assignee: z.string(),
  created_at: moment,
  updated_at: moment,
  iteration: z.int().describe("of the loop at hand, or of the last one"),
  held: z.boolean().describe("cancelled by a person: not taken up until that person says so"),
  loop: z.string().nullable().describe("the loop of its stage at hand, or the last one"),
  proof: level
    .nullable()
    .describe("what proves its work: its coder's level, lowered by what followed; null before that"),
};

const taskAnswer = component("Task", "A task as `ralph task list --json` shows it.", z.object(taskShape));

export const listTasks = operation({
  id: "listTasks",
  path: "/api/tasks",
  tag,
  summary: "Tasks by priority, then those that more tasks wait for, then age",
  query: {
    spec: specQuery,
    status: z.enum(TASK_STATUSES).optional().describe("only those of this status"),
    ready: yesNo.optional().describe("only those that nothing keeps from being taken up"),
    limit: limitOf(100, 1_000),
  },
  answer: component("Tasks", "A list of tasks.", z.object({ tasks: z.array(taskAnswer) })),
});

const place = z.enum([...AGENT_ROLES, "conflict"]);

export const showTask = operation({
  id: "showTask",
  path: "/api/tasks/{task}",
  tag,
  summary: "One task with its criteria, its history and its loops, as `ralph task show --json` tells it",
  params: taskParam,
  answer: component(
    "TaskDetail",
    "Everything about one task.",
    z.object({
      ...taskShape,
      description: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      completion_spec: loosely<TaskCompletionSpec>("when it is done").nullable(),
      waits_for: z.array(z.string()).describe("dependencies that are not done"),
      parent: z.string().nullable().describe("the task that it follows up"),
      followups: z.array(z.string()),
      attempt: z.int(),
      rounds: z.int().describe("how often it was sent back in this attempt"),
      blocked: z.string().nullable(),
      waits: z.string().nullable(),
      work: loosely<NonNullable<TaskState["work"]>>("its branch, target, base and worktree").nullable(),
      merged: z.string().nullable().describe("the commit that the target got"),
      weak: z.array(z.string()).describe("what weakens its proof, in words"),
      history: z.array(loosely<{ seq: number; at: string } & TaskEvent>("a fact of its journal, with seq and at")),
      loops: z.array(
        z.object({
          id: z.string(),
          place: place.nullable(),
          status: z.string(),
          reason: z.string().nullable(),
          iteration: z.int(),
          cost_usd: z.number(),
          tokens: z.number(),
        }),
      ),
    }),
  ),
});

export const cancelTaskOperation = operation({
  id: "cancelTask",
  method: "POST",
  path: "/api/tasks/{task}/cancel",
  tag,
  summary: "Stops the work on a task: back to todo, and held there",
  params: taskParam,
  status: 202,
  answer: component(
    "CancelledTask",
    "What `ralph cancel <task> --json` tells.",
    z.object({
      task: z.string(),
      cancelled: z.boolean().describe("false: nobody was at work on it"),
      status: z.enum(TASK_STATUSES),
      held: z.boolean(),
      loop: z.string().nullable(),
    }),
  ),
});

const specShape = { id: z.string(), title: z.string(), created_at: moment };

export const listSpecs = operation({
  id: "listSpecs",
  path: "/api/specs",
  tag,
  summary: "The documents that tasks belong to",
  answer: component(
    "Specs",
    "A list of specs as `ralph spec list --json` shows them.",
    z.object({ specs: z.array(z.object({ ...specShape, tasks: z.int(), done: z.int() })) }),
  ),
});

export const showSpec = operation({
  id: "showSpec",
  path: "/api/specs/{spec}",
  tag,
  summary: "One spec with its content, and how many tasks it has of each status",
  params: specParam,
  answer: component(
    "Spec",
    "A spec as `ralph spec show --json` tells it.",
    z.object({ ...specShape, content: z.string(), tasks: z.partialRecord(z.enum(TASK_STATUSES), z.int()) }),
  ),
});
