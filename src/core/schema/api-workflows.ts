import * as z from "zod";
import type { FaultyFile } from "../workflow/fault.ts";
import type { Part } from "../workflow/workflow.ts";
import { component, loosely, operation } from "./api.ts";
import { conversationId, workflowName } from "./api-atoms.ts";
import { expected, strict } from "./messages.ts";

const tag = "workflows";

const workflowAnswer = component(
  "Workflow",
  "A workflow, read and resolved.",
  z.object({
    name: z.string(),
    description: z.string(),
    triggers: z.array(z.string()).describe("phrases of messages that start it"),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    form: z.enum(["steps", "loop", "nodes"]).describe("how it is written"),
    parts: z.array(loosely<Part>("a step, a command, a loop, or steps that run together, by `kind`")),
    file: z.string().describe("seen from the repository"),
  }),
);

export const listWorkflows = operation({
  id: "listWorkflows",
  path: "/api/workflows",
  tag,
  summary: "The workflows of this repository, and the files that are none",
  answer: component(
    "Workflows",
    "What `.ralph/workflows` and `.archon/workflows` hold.",
    z.object({
      workflows: z.array(workflowAnswer),
      faulty: z.array(loosely<FaultyFile>("a file, and its faults with line, column, key, text and hint")),
      notes: z.array(z.string()),
    }),
  ),
});

export const showWorkflow = operation({
  id: "showWorkflow",
  path: "/api/workflows/{workflow}",
  tag,
  summary: "One workflow",
  params: { workflow: workflowName },
  answer: workflowAnswer,
});

/** The longest message of a request. */
const MOST_CHARS = 100_000;
const words = expected(`text, at most ${MOST_CHARS} characters`);
export const messageText = z.string(words).trim().min(1, words).max(MOST_CHARS, words);

export const runStarted = component(
  "RunStarted",
  "A message was taken; its run is started or queued.",
  z.object({
    conversationId: z.string(),
    runId: z.string().nullable().describe("null: the message started none, and the conversation says why"),
  }),
);

export const startRun = operation({
  id: "startRun",
  method: "POST",
  path: "/api/workflows/{workflow}/runs",
  tag,
  summary: "Starts a run of a workflow, or queues it behind those of its conversation",
  params: { workflow: workflowName },
  body: component(
    "StartRun",
    "What a run is told.",
    strict(
      {
        message: messageText,
        conversationId: conversationId.optional().describe("left out: a conversation of its own"),
      },
      "{ message }",
    ),
  ),
  status: 202,
  answer: runStarted,
});
