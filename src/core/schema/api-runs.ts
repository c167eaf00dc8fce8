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
    message: z.string().describe("what the user said"),
    conversation: z.object({ platform: z.string(), id: z.string() }).nullable(),
    cwd: z.string(),
    status: z.enum(RUN_STATUSES),
    detail: z.string().describe("why it failed, or is paused"),
    proof: z.enum(LEVELS).nullable().describe("the weakest level of its completed loops; null where it has none"),
    currentStep: z.int(),
    steps: z.int(),
    metadata: z.record(z.string(), z.unknown()).describe("iteration_count, max_iterations, last_output"),
    costUsd: z.number(),
    holder: z.string(),
    createdAtMs: momentMs,
    updatedAtMs: momentMs,
    held: z.boolean().describe("whether anybody drives it just now"),
  }),
);

export const listRuns = operation({
  id: "listRuns",
  path: "/api/runs",
  tag,
  summary: "Runs of workflows, newest first",
  query: {
    status: z.enum(RUN_STATUSES).optional().describe("only those of this status"),
    platform: platformName.optional().describe("with `conversation`: only the runs of that conversation"),
    conversation: conversationId
      .optional()
      .describe("only those of this conversation (of `http`, unless `platform` is given)"),
    limit: limitOf(50, 500),
  },
  answer: component("Runs", "A list of runs.", z.object({ runs: z.array(runAnswer) })),
});

export const showRun = operation({
  id: "showRun",
  path: "/api/runs/{run}",
  tag,
  summary: "One run with its state and its loops",
  params: runParam,
  answer: component(
    "RunDetail",
    "Everything about one run but its journal.",
    runAnswer.extend({
      state: loosely<RunState>("the fold of its journal"),
      loops: z.array(loopAnswer).describe("the last ones that it began"),
    }),
  ),
});

export const listRunEntries = operation({
  id: "listRunEntries",
  path: "/api/runs/{run}/entries",
  tag,
  summary: "The journal of a run, in pages",
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
  summary: "Asks a run to stop; it has stopped once its status says so",
  params: runParam,
  status: 202,
  answer: component(
    "CancelledRun",
    "The run, and whether there was anything to cancel.",
    runAnswer.extend({ cancelled: z.boolean().describe("false: it had ended already") }),
  ),
});

export const resumeRun = operation({
  id: "resumeRun",
  method: "POST",
  path: "/api/runs/{run}/resume",
  tag,
  summary: "Goes on with a run that was interrupted, as soon as there is room for it",
  params: runParam,
  status: 202,
  answer: component("ResumedRun", "The run that is gone on with.", z.object({ runId: z.string() })),
});
