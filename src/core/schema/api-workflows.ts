import * as z from "zod";
import type { FaultyFile } from "../workflow/fault.ts";
import type { Part } from "../workflow/workflow.ts";
import { component, loosely, operation } from "./api.ts";
import { conversationId, workflowName } from "./api-atoms.ts";
import { expected, strict } from "./messages.ts";

const tag = "workflows";

const workflowAnswer = component(
  "Workflow",
  "A workflow, parsed and resolved.",
  z.object({
    name: z.string(),
    description: z.string(),
    triggers: z.array(z.string()).describe("phrases in a message that start it"),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    form: z.enum(["steps", "loop", "nodes"]).describe("its notation"),
    parts: z.array(loosely<Part>("a step, a command, a loop, or parallel steps, by `kind`")),
    file: z.string().describe("relative to the repository"),
  }),
);

export const listWorkflows = operation({
  id: "listWorkflows",
  path: "/api/workflows",
  tag,
  summary: "List the workflows of this repository, and the files that are not valid",
  answer: component(
    "Workflows",
    "The contents of `.ralph/workflows` and `.archon/workflows`.",
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
  summary: "Show one workflow",
  params: { workflow: workflowName },
  answer: workflowAnswer,
});

const MOST_CHARS = 100_000;
const words = expected(`text, at most ${MOST_CHARS} characters`);
export const messageText = z.string(words).trim().min(1, words).max(MOST_CHARS, words);

export const runStarted = component(
  "RunStarted",
  "The message was accepted; its run is started or queued.",
  z.object({
    conversationId: z.string(),
    runId: z.string().nullable().describe("null if the message started none; the conversation contains the reason"),
  }),
);

export const startRun = operation({
  id: "startRun",
  method: "POST",
  path: "/api/workflows/{workflow}/runs",
  tag,
  summary: "Start a run of a workflow, or queue it behind other runs of its conversation",
  params: { workflow: workflowName },
  body: component(
    "StartRun",
    "The input of a run.",
    strict(
      {
        message: messageText,
        conversationId: conversationId.optional().describe("by default a new conversation"),
      },
      "{ message }",
    ),
  ),
  status: 202,
  answer: runStarted,
});
