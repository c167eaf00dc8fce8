import * as z from "zod";
import type { TaskEvent } from "../task/events.ts";
import { LOOP_ROLES } from "../task/role.ts";
import type { TaskState } from "../task/state.ts";
import { TASK_STATUSES } from "../task/task.ts";
import { component, limitOf, loosely, operation, wholeIn, yesNo } from "./api.ts";
import { level, moment, specParam, specQuery, taskParam } from "./api-atoms.ts";
import type { TaskCompletionSpec } from "./criteria.ts";

const tag = "tasks";

const taskShape = {
  id: z.string(),
  spec_id: z.string(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  priority: z.number().describe("1 is the highest"),
  dependencies: z.array(z.string()),
  assignee: z.string(),
  created_at: moment,
  updated_at: moment,
  iteration: z.int().describe("the iteration of the current or last loop"),
  held: z.boolean().describe("cancelled by the user: not started again until the user releases it"),
  loop: z.string().nullable().describe("the loop of the current stage, or the last one"),
  proof: level
    .nullable()
    .describe("the proof level of its work: the coder's level, lowered by later stages; null before that"),
};

const taskAnswer = component("Task", "A task as `ralph task list --json` shows it.", z.object(taskShape));

export const listTasks = operation({
  id: "listTasks",
  path: "/api/tasks",
  tag,
  summary: "List tasks by priority, then by the number of tasks that wait for them, then by age",
  query: {
    spec: specQuery,
    status: z.enum(TASK_STATUSES).optional().describe("only with this status"),
    ready: yesNo.optional().describe("only tasks that are ready to start"),
    limit: limitOf(100, 1_000),
  },
  answer: component("Tasks", "A list of tasks.", z.object({ tasks: z.array(taskAnswer) })),
});

const place = z.enum(LOOP_ROLES);

export const showTask = operation({
  id: "showTask",
  path: "/api/tasks/{task}",
  tag,
  summary: "Show one task with its criteria, history and loops, as in `ralph task show --json`",
  params: taskParam,
  answer: component(
    "TaskDetail",
    "Everything about one task.",
    z.object({
      ...taskShape,
      description: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      completion_spec: loosely<TaskCompletionSpec>('what "done" means').nullable(),
      waits_for: z.array(z.string()).describe("dependencies that are not done yet"),
      parent: z.string().nullable().describe("the task that it is a follow-up of"),
      followups: z.array(z.string()),
      attempt: z.int(),
      rounds: z.int().describe("how many times it was sent back in this attempt"),
      blocked: z.string().nullable(),
      waits: z.string().nullable(),
      work: loosely<NonNullable<TaskState["work"]>>("its branch, target, base and worktree").nullable(),
      merged: z.string().nullable().describe("the merge commit on the target"),
      weak: z.array(z.string()).describe("what weakens its proof, in words"),
      history: z.array(loosely<{ seq: number; at: string } & TaskEvent>("an entry of its journal, with seq and at")),
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
  summary: "Stop the work on a task: it goes back to todo and is held",
  params: taskParam,
  status: 202,
  answer: component(
    "CancelledTask",
    "The output of `ralph cancel <task> --json`.",
    z.object({
      task: z.string(),
      cancelled: z.boolean().describe("false if it was not being worked on"),
      status: z.enum(TASK_STATUSES),
      held: z.boolean(),
      loop: z.string().nullable(),
    }),
  ),
});

const newTasks = component(
  "NewTasks",
  "A task with the keys of `ralph task create --file`, or `tasks` with a list of them. Without ids, Ralph numbers them.",
  z.looseObject({}).describe("id, spec_id, title, description, priority, dependencies, assignee, completion"),
);

export const createTasks = operation({
  id: "createTasks",
  method: "POST",
  path: "/api/tasks",
  tag,
  summary: "Create tasks, as `ralph task create` does: all of them or none",
  agents: "proposes",
  query: {
    noCriteria: yesNo.optional().describe("tasks may have no criteria: the promises of their agents alone decide"),
  },
  body: newTasks,
  answer: component(
    "CreatedTasks",
    "The new tasks.",
    z.object({
      id: z.string().describe("the id of the first one"),
      created: z.array(taskAnswer),
      specs: z.array(z.string()).describe("specs that did not exist before"),
      proposed: z.boolean().describe("whether they were only proposed, because an agent created them"),
    }),
  ),
});

const changedTask = component("ChangedTask", "A task after a change.", z.object({ ...taskShape }));

export const retryTask = operation({
  id: "retryTask",
  method: "POST",
  path: "/api/tasks/{task}/retry",
  tag,
  summary: "Set a blocked, held or dropped task back to todo, as `ralph task update --status todo` does",
  params: taskParam,
  answer: changedTask,
});

export const acceptTaskOperation = operation({
  id: "acceptTask",
  method: "POST",
  path: "/api/tasks/{task}/accept",
  tag,
  summary: "Accept a task that an agent has proposed, as `ralph task accept` does",
  params: taskParam,
  query: {
    seen: wholeIn(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("`card.updatedMs` of the page that the user has seen: a task that was changed since then is refused"),
  },
  answer: changedTask,
});

const specShape = { id: z.string(), title: z.string(), created_at: moment };

export const listSpecs = operation({
  id: "listSpecs",
  path: "/api/specs",
  tag,
  summary: "List the specs that tasks belong to",
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
  summary: "Show one spec with its content and the number of tasks by status",
  params: specParam,
  answer: component(
    "Spec",
    "A spec as `ralph spec show --json` shows it.",
    z.object({ ...specShape, content: z.string(), tasks: z.partialRecord(z.enum(TASK_STATUSES), z.int()) }),
  ),
});
