import * as z from "zod";
import { AGENT_ROLES } from "../task/role.ts";
import { ID_WORDS, isId } from "../task/task.ts";
import type { ExecutionLine } from "../view/board.ts";
import { component, loosely, operation } from "./api.ts";
import { loopParam } from "./api-atoms.ts";
import { loopAnswer } from "./api-loops.ts";
import { countSchema, dollarsSchema, flag, listSchema, oneOf } from "./atoms.ts";
import { expected, strict } from "./messages.ts";

const tag = "executions";

const id = (what: string) =>
  z.string(expected(`the id of ${what}`)).refine(isId, expected(`the id of ${what}: ${ID_WORDS}`));

/** Never a flag; git refuses what is no branch. */
const BRANCH = /^[^\s\p{Cc}-][^\s\p{Cc}]{0,199}$/u;
const wholeSeconds = z.int(expected("whole seconds")).min(1, expected("whole seconds, from 1"));

const newExecution = component(
  "NewExecution",
  "What to execute: all of it may be left out, as with `ralph execute`.",
  strict(
    {
      tasks: listSchema(id("a task"), "ids of tasks")
        .max(500, expected("at most 500 ids"))
        .exactOptional()
        .describe("only these tasks, even if held or blocked"),
      spec: id("a spec").exactOptional().describe("only the tasks of this spec"),
      stages: listSchema(oneOf(AGENT_ROLES), "stages").min(1, expected("at least one stage")).exactOptional(),
      target: z
        .string(expected("a branch"))
        .regex(BRANCH, expected("the name of a branch"))
        .exactOptional()
        .describe("merge into this branch (default: the one that is checked out)"),
      maxParallel: countSchema.max(1_000).exactOptional().describe("the maximum number of tasks at once"),
      maxCostUsd: dollarsSchema.exactOptional().describe("the maximum cost of everything"),
      maxDurationS: wholeSeconds.exactOptional().describe("the maximum duration of everything, in seconds"),
      strict: flag.exactOptional().describe("refuse changed expected results and new suppressions"),
      restart: flag.exactOptional().describe("interrupted tasks begin again with the settings of now"),
      acceptChanges: flag.exactOptional().describe("apply changes of tasks, specs and settings now"),
    },
    "{ tasks, spec, stages, target, maxParallel, maxCostUsd, maxDurationS }",
  ),
);

export type NewExecution = z.infer<typeof newExecution>;

export const listExecutions = operation({
  id: "listExecutions",
  path: "/api/executions",
  tag,
  summary: "List the executions that work now, with their slots",
  answer: component(
    "Executions",
    "The executions that work now.",
    z.object({ executions: z.array(loosely<ExecutionLine>("id, holder, startedMs, target, slots, merging")) }),
  ),
});

const logFile = z.string().describe("the file with its output");

export const startExecution = operation({
  id: "startExecution",
  method: "POST",
  path: "/api/executions",
  tag,
  summary: "Start an execution, as `ralph execute` does; it continues when the server stops",
  body: newExecution,
  status: 202,
  answer: component(
    "StartedExecution",
    "What was started.",
    z.object({
      execution: z.string().nullable().describe("its id; null if it has not taken a task yet"),
      ended: z.boolean().describe("whether it has ended already: there was nothing to do"),
      log: logFile,
    }),
  ),
});

const EXECUTION = /^[0-9a-f]{1,16}$/;

export const cancelExecutionOperation = operation({
  id: "cancelExecution",
  method: "POST",
  path: "/api/executions/{execution}/cancel",
  tag,
  summary: "Ask an execution to stop: its tasks keep their work, and the next execution resumes them",
  params: {
    execution: z
      .string(expected("the id of an execution"))
      .regex(EXECUTION, expected("the id of an execution"))
      .describe("the id of an execution"),
  },
  status: 202,
  answer: component(
    "CancelledExecution",
    "The execution that was requested to stop.",
    z.object({ execution: z.string(), cancelled: z.boolean() }),
  ),
});

const resumption = component(
  "Resumption",
  "How to resume a loop: other limits, as with `ralph resume`.",
  strict(
    {
      maxIterations: countSchema.exactOptional(),
      maxCostUsd: dollarsSchema.exactOptional(),
      maxTokens: countSchema.exactOptional(),
      timeoutS: wholeSeconds.exactOptional().describe("the maximum working time, in seconds"),
      acceptChanges: flag.exactOptional().describe("accept your own changes to protected files"),
      force: flag.exactOptional().describe("resume also beside a loop that may change the same files"),
    },
    "{ maxIterations, maxCostUsd, maxTokens, timeoutS, acceptChanges, force }",
  ),
);

export type Resumption = z.infer<typeof resumption>;

export const resumeLoopOperation = operation({
  id: "resumeLoop",
  method: "POST",
  path: "/api/loops/{loop}/resume",
  tag: "loops",
  summary: "Resume a loop that stopped, as `ralph resume` does; it continues when the server stops",
  params: loopParam,
  body: resumption,
  status: 202,
  answer: component("ResumedLoop", "The loop, and its output.", loopAnswer.extend({ log: logFile })),
});
