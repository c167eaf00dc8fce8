import * as z from "zod";
import { LEVELS } from "../proof/level.ts";
import type { RunEvent } from "../workflow/events.ts";
import { RUN_STATUSES, type RunState } from "../workflow/state.ts";
import { component, fact, limitOf, loosely, operation } from "./api.ts";
import { conversationId, momentMs, next, pageQuery, platformName, runParam } from "./api-atoms.ts";
import { loopAnswer } from "./api-loops.ts";

const tag = "runs";

export const runAnswer = component(
  "Run",
  "A run of a workflow.",
  z.object({
    id: z.string(),
    workflow: z.string(),
    message: z.string().describe("the user's message"),
    conversation: z.object({ platform: z.string(), id: z.string() }).nullable(),
    cwd: z.string(),
    status: z.enum(RUN_STATUSES),
    detail: z.string().describe("why it failed or is paused"),
    proof: z.enum(LEVELS).nullable().describe("the weakest level of its completed loops; null if it has none"),
    currentStep: z.int(),
    steps: z.int(),
    metadata: z.record(z.string(), z.unknown()).describe("iteration_count, max_iterations, last_output"),
    costUsd: z.number(),
    holder: z.string(),
    createdAtMs: momentMs,
    updatedAtMs: momentMs,
    held: z.boolean().describe("whether a process is driving it"),
  }),
);

export const listRuns = operation({
  id: "listRuns",
  path: "/api/runs",
  tag,
  summary: "List workflow runs, newest first",
  query: {
    status: z.enum(RUN_STATUSES).optional().describe("only with this status"),
    platform: platformName.optional().describe("the platform of `conversation`"),
    conversation: conversationId
      .optional()
      .describe("only for this conversation (of `http`, unless `platform` is given)"),
    limit: limitOf(50, 500),
  },
  answer: component("Runs", "A list of runs.", z.object({ runs: z.array(runAnswer) })),
});

export const showRun = operation({
  id: "showRun",
  path: "/api/runs/{run}",
  tag,
  summary: "Show one run with its state and loops",
  params: runParam,
  answer: component(
    "RunDetail",
    "Everything about one run except its journal.",
    runAnswer.extend({
      state: loosely<RunState>("its state, derived from its journal"),
      loops: z.array(loopAnswer).describe("the most recent loops"),
    }),
  ),
});

export const listRunEntries = operation({
  id: "listRunEntries",
  path: "/api/runs/{run}/entries",
  tag,
  summary: "List the journal of a run, in pages",
  params: runParam,
  query: pageQuery,
  answer: component(
    "RunEntries",
    "A page of a run's journal.",
    z.object({
      entries: z.array(
        z.object({
          run: z.string(),
          seq: z.int(),
          epoch: z.int().describe("increases with each driver"),
          atMs: momentMs,
          event: fact<RunEvent>("such as run.started, part.began, part.ended, run.ended"),
        }),
      ),
      next,
    }),
  ),
});

export const cancelRunOperation = operation({
  id: "cancelRun",
  method: "POST",
  path: "/api/runs/{run}/cancel",
  tag,
  summary: "Ask a run to stop; its status shows when it has stopped",
  params: runParam,
  status: 202,
  answer: component(
    "CancelledRun",
    "The run, and whether there was something to cancel.",
    runAnswer.extend({ cancelled: z.boolean().describe("false if it had already ended") }),
  ),
});

export const resumeRun = operation({
  id: "resumeRun",
  method: "POST",
  path: "/api/runs/{run}/resume",
  tag,
  summary: "Resume an interrupted run as soon as there is capacity",
  params: runParam,
  status: 202,
  answer: component("ResumedRun", "The resumed run.", z.object({ runId: z.string() })),
});
