import * as z from "zod";
import type { Entry } from "../loop/events.ts";
import type { LoopSpec } from "../loop/spec.ts";
import type { LoopState } from "../loop/state.ts";
import { STOP_REASONS } from "../loop/stop-reasons.ts";
import { LOOP_ROLES } from "../task/role.ts";
import type { ExplainedAttempt, ExplainedBaseline } from "../why.ts";
import { component, fact, limitOf, loosely, operation, wholeIn, yesNo } from "./api.ts";
import { level, loopParam, momentMs, next, pageQuery, runParam, taskQuery } from "./api-atoms.ts";

const tag = "loops";

const loopShape = {
  id: z.string(),
  door: z.enum(["harness", "workflow", "pipeline", "hook"]).describe("the entry point that created it"),
  title: z.string(),
  part: z
    .object({ task: z.string(), place: z.enum(LOOP_ROLES) })
    .nullable()
    .describe("its task and stage"),
  run: z.object({ run: z.string(), part: z.string() }).nullable().describe("its workflow run and part"),
  cwd: z.string(),
  status: z.enum(["running", "waiting", "stopped"]),
  reason: z
    .enum(STOP_REASONS)
    .nullable()
    .describe("why it stopped; for a completed loop its proof level, the same as `proof`"),
  detail: z.string(),
  iteration: z.int(),
  maxIterations: z.int().nullable(),
  costUsd: z.number(),
  tokens: z.number(),
  waitUntilMs: momentMs.nullable(),
  proved: z
    .object({ proved: z.int(), of: z.int() })
    .nullable()
    .describe("how many acceptance criteria are proved; null if there are none"),
  createdAtMs: momentMs,
  updatedAtMs: momentMs,
  holder: z.string().describe("a description of the process that drives it or drove it last"),
  host: z.string().nullable().describe("the host of its current or last session; null: none"),
  driver: z.enum(["engine", "host", "fleet"]).describe("Ralph's engine, a host's session, or a fleet worker"),
  sessionId: z.string().nullable().describe("its current or last session"),
};

const proof = level.nullable().describe("its proof level, strongest first; null if it is not completed");
const weak = z.array(z.string()).describe("what weakens the proof, in words");

export const loopAnswer = component(
  "Loop",
  "A loop as `ralph list --json` shows it.",
  z.object({
    ...loopShape,
    proof,
    held: z.boolean().describe("whether a process is driving it, or a host has it in a session"),
  }),
);

export const criterionAnswer = component(
  "Criterion",
  "An acceptance criterion with its last result.",
  z.object({ text: z.string(), proved: z.boolean(), why: z.string() }),
);

const stateAnswer = loosely<Omit<LoopState, "spec">>("its state, derived from its journal, without its spec");
const specAnswer = loosely<LoopSpec>("what it was started with; webhook URLs are shortened").nullable();

export const listLoops = operation({
  id: "listLoops",
  path: "/api/loops",
  tag,
  summary: "List the loops of this repository, newest first",
  query: {
    active: yesNo.optional().describe("only loops that have not stopped"),
    task: taskQuery,
    run: runParam.run.optional().describe("only for this workflow run"),
    limit: limitOf(50, 500),
  },
  answer: component("Loops", "A list of loops.", z.object({ loops: z.array(loopAnswer) })),
});

export const showLoop = operation({
  id: "showLoop",
  path: "/api/loops/{loop}",
  tag,
  summary: "Show one loop with its criteria, spec and state",
  params: loopParam,
  answer: component(
    "LoopDetail",
    "Everything about one loop except its journal.",
    loopAnswer.extend({ weak, criteria: z.array(criterionAnswer), spec: specAnswer, state: stateAnswer }),
  ),
});

const entryAnswer = component(
  "LoopEntry",
  "One entry of a loop's journal.",
  z.object({
    loop: z.string(),
    seq: z.int(),
    epoch: z.int().describe("increases with each driver"),
    atMs: momentMs,
    event: fact<Entry["event"]>("such as turn.began, turn.ended, claim.judged, loop.stopped"),
  }),
);

export const listEntries = operation({
  id: "listLoopEntries",
  path: "/api/loops/{loop}/entries",
  tag,
  summary: "List the journal of a loop, in pages",
  params: loopParam,
  query: pageQuery,
  answer: component("LoopEntries", "A page of a loop's journal.", z.object({ entries: z.array(entryAnswer), next })),
});

export const showStory = operation({
  id: "showLoopStory",
  path: "/api/loops/{loop}/story",
  tag,
  summary: "Show why a loop stopped or continues: every claim, verdict and decision, as in `ralph why --json`",
  params: loopParam,
  query: {
    after: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).describe("only iterations after this one (default 0)"),
    limit: limitOf(1_000, 1_000),
  },
  answer: component(
    "LoopExplainer",
    "The history of a loop, derived from its journal.",
    z.object({
      ...loopShape,
      proof,
      weak,
      spec: specAnswer,
      fingerprints: z.record(z.string(), z.string()).describe("digests of the files that decide completion"),
      criteria: z.array(criterionAnswer),
      decided: z.string().describe("what decided how it ended; if it has not stopped, what decides next"),
      baseline: loosely<ExplainedBaseline>("the results before any work").nullable(),
      iterations: z.array(loosely<ExplainedAttempt>("an attempt at an iteration and the decisions about it")),
      next: z.string().describe("what the user can do next; empty if nothing"),
      journal: z
        .object({
          entries: z.int(),
          head: z.string().nullable().describe("the hash of the last entry, which covers all entries"),
          chainedFrom: z.int().nullable().describe("the first entry that has a hash; null if none has"),
          damage: z
            .object({ entry: z.int().nullable(), what: z.string() })
            .nullable()
            .describe("where the journal is damaged; the history ends there"),
          foreign: z
            .array(z.object({ seq: z.number(), foundAtMs: momentMs, text: z.string() }))
            .describe("entries that other processes wrote while it was running, kept separately"),
        })
        .describe("the result of verifying the journal"),
    }),
  ),
});

const attempt = {
  iteration: z.int(),
  attempt: z.int(),
  bytes: z.int().describe("the size of its output so far"),
};

export const listAttempts = operation({
  id: "listLoopAttempts",
  path: "/api/loops/{loop}/attempts",
  tag,
  summary: "List the attempts at a loop's iterations with the size of their output",
  params: loopParam,
  answer: component("Attempts", "The attempts of a loop.", z.object({ attempts: z.array(z.object(attempt)) })),
});

const MOST_BYTES = 1_048_576;

export const readAttempt = operation({
  id: "readLoopAttempt",
  path: "/api/loops/{loop}/attempts/{iteration}/{attempt}",
  tag,
  summary: "Read the agent's raw output of one attempt, in pages of bytes (not with a read-only link)",
  access: "raw",
  params: {
    ...loopParam,
    iteration: wholeIn(1, 1e9).describe("the iteration, from 1"),
    attempt: wholeIn(1, 1e9).describe("the attempt, from 1"),
  },
  query: {
    after: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).describe("only output after this many bytes (default 0)"),
    limit: limitOf(65_536, MOST_BYTES),
  },
  answer: component("AttemptOutput", "A page of an agent's output.", z.object({ ...attempt, text: z.string(), next })),
});

export const streamOutput = operation({
  id: "streamLoopOutput",
  path: "/api/loops/{loop}/output",
  tag,
  summary: "Stream the agent's output, as `ralph logs --json` does; with `follow` until the loop stops",
  params: loopParam,
  query: {
    iteration: wholeIn(1, 1e9).optional().describe("only this iteration"),
    raw: yesNo.optional().describe("the raw output, not made readable (not with a read-only link)"),
    follow: yesNo.optional().describe("continue until the loop stops"),
  },
  answer: { media: "application/x-ndjson", description: "JSON Lines of {iteration, attempt, text}" },
});

export const cancelLoopOperation = operation({
  id: "cancelLoop",
  method: "POST",
  path: "/api/loops/{loop}/cancel",
  tag,
  summary: "Ask a loop to stop; its status shows when it has stopped",
  params: loopParam,
  status: 202,
  answer: component(
    "CancelledLoop",
    "The loop, and whether there was something to cancel.",
    loopAnswer.extend({ cancelled: z.boolean().describe("false if it had already stopped") }),
  ),
});
