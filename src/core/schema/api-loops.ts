import * as z from "zod";
import { type Entry, STOP_REASONS } from "../loop/events.ts";
import type { LoopSpec } from "../loop/spec.ts";
import type { LoopState } from "../loop/state.ts";
import type { AttemptStory, BaselineStory } from "../story.ts";
import { component, fact, limitOf, loosely, operation, wholeIn, yesNo } from "./api.ts";
import { level, loopParam, momentMs, next, pageQuery, runParam, taskQuery } from "./api-atoms.ts";

const tag = "loops";

const loopShape = {
  id: z.string(),
  door: z.enum(["harness", "workflow", "pipeline", "hook"]).describe("the way in that made it"),
  title: z.string(),
  part: z
    .object({ task: z.string(), place: z.enum(["coder", "reviewer", "tester", "qa", "conflict"]) })
    .nullable()
    .describe("the task, and the part of it, that it works on"),
  run: z
    .object({ run: z.string(), part: z.string() })
    .nullable()
    .describe("the run of a workflow, and the part of it, that it works on"),
  cwd: z.string(),
  status: z.enum(["running", "waiting", "stopped"]),
  reason: z
    .enum(STOP_REASONS)
    .nullable()
    .describe("why it stopped; that of a completed loop is its level, the same as `proof`"),
  detail: z.string(),
  iteration: z.int(),
  maxIterations: z.int().nullable(),
  costUsd: z.number(),
  tokens: z.number(),
  waitUntilMs: momentMs.nullable(),
  proved: z
    .object({ proved: z.int(), of: z.int() })
    .nullable()
    .describe("how many acceptance criteria are proved; null where there are none"),
  createdAtMs: momentMs,
  updatedAtMs: momentMs,
  holder: z.string().describe("who drives it or drove it last, in words"),
  host: z.string().nullable().describe("the host in whose session it is or was last; null: none"),
  driver: z
    .enum(["engine", "host", "fleet"])
    .describe("our own engine, the session of a host, or a worker of the fleet"),
  sessionId: z.string().nullable().describe("the session that it goes on in, or was last in"),
};

const proof = level.nullable().describe("the level of its proof, the strongest first; null: it was not completed");
const weak = z.array(z.string()).describe("what weakens the proof, in words");

export const loopAnswer = component(
  "Loop",
  "A loop as `ralph list --json` shows it.",
  z.object({
    ...loopShape,
    proof,
    held: z.boolean().describe("whether anybody drives it just now, or a host has it in a session"),
  }),
);

const criterion = component(
  "Criterion",
  "An acceptance criterion, as it stood when it was last looked at.",
  z.object({ text: z.string(), proved: z.boolean(), why: z.string() }),
);

const stateAnswer = loosely<Omit<LoopState, "spec">>("the fold of its journal, without its spec");
const specAnswer = loosely<LoopSpec>("what it was started with; addresses of webhooks are cut short").nullable();

export const listLoops = operation({
  id: "listLoops",
  path: "/api/loops",
  tag,
  summary: "The loops of this repository, newest first",
  query: {
    active: yesNo.optional().describe("only those that have not stopped"),
    task: taskQuery,
    run: runParam.run.optional().describe("only those of this run of a workflow"),
    limit: limitOf(50, 500),
  },
  answer: component("Loops", "A list of loops.", z.object({ loops: z.array(loopAnswer) })),
});

export const showLoop = operation({
  id: "showLoop",
  path: "/api/loops/{loop}",
  tag,
  summary: "One loop with its criteria, its spec and its state",
  params: loopParam,
  answer: component(
    "LoopDetail",
    "Everything about one loop but its journal.",
    loopAnswer.extend({ weak, criteria: z.array(criterion), spec: specAnswer, state: stateAnswer }),
  ),
});

const entryAnswer = component(
  "LoopEntry",
  "One fact of a loop's journal.",
  z.object({
    loop: z.string(),
    seq: z.int(),
    epoch: z.int().describe("counts its drivers"),
    atMs: momentMs,
    event: fact<Entry["event"]>("such as turn.began, turn.ended, claim.judged, loop.stopped"),
  }),
);

export const listEntries = operation({
  id: "listLoopEntries",
  path: "/api/loops/{loop}/entries",
  tag,
  summary: "The journal of a loop, in pages",
  params: loopParam,
  query: pageQuery,
  answer: component("LoopEntries", "A page of a loop's journal.", z.object({ entries: z.array(entryAnswer), next })),
});

export const showStory = operation({
  id: "showLoopStory",
  path: "/api/loops/{loop}/story",
  tag,
  summary: "Why a loop stopped or goes on: every claim, verdict and decision, as `ralph why --json` tells it",
  params: loopParam,
  query: {
    after: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).describe("only iterations after this one (default 0)"),
    limit: limitOf(1_000, 1_000),
  },
  answer: component(
    "LoopStory",
    "A loop's journal as a story.",
    z.object({
      ...loopShape,
      proof,
      weak,
      spec: specAnswer,
      fingerprints: z.record(z.string(), z.string()).describe("digests of what decides completion"),
      criteria: z.array(criterion),
      baseline: loosely<BaselineStory>("how things stood before any work").nullable(),
      iterations: z.array(loosely<AttemptStory>("an attempt at an iteration, and all that was decided about it")),
      next: z.string().describe("what a person could do next; empty: nothing"),
      journal: z
        .object({
          entries: z.int(),
          head: z.string().nullable().describe("the hash of the last entry, which stands for all of them"),
          chainedFrom: z.int().nullable().describe("the first entry that has a hash; null: none has"),
          damage: z
            .object({ entry: z.int().nullable(), what: z.string() })
            .nullable()
            .describe("where the journal is damaged: the story ends there"),
          foreign: z
            .array(z.object({ seq: z.number(), foundAtMs: momentMs, text: z.string() }))
            .describe("what other processes wrote into it while it was driven, kept aside"),
        })
        .describe("what its verification came to"),
    }),
  ),
});

const attempt = {
  iteration: z.int(),
  attempt: z.int(),
  bytes: z.int().describe("how much it has printed so far"),
};

export const listAttempts = operation({
  id: "listLoopAttempts",
  path: "/api/loops/{loop}/attempts",
  tag,
  summary: "The attempts at a loop's iterations, and how much each has printed",
  params: loopParam,
  answer: component("Attempts", "The attempts of a loop.", z.object({ attempts: z.array(z.object(attempt)) })),
});

const MOST_BYTES = 1_048_576;

export const readAttempt = operation({
  id: "readLoopAttempt",
  path: "/api/loops/{loop}/attempts/{iteration}/{attempt}",
  tag,
  summary: "What the agent printed in one attempt, as it printed it, in pages of bytes",
  params: {
    ...loopParam,
    iteration: wholeIn(1, 1e9).describe("the iteration, from 1"),
    attempt: wholeIn(1, 1e9).describe("which attempt at it, from 1"),
  },
  query: {
    after: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).describe("only what comes after so many bytes (default 0)"),
    limit: limitOf(65_536, MOST_BYTES),
  },
  answer: component("AttemptOutput", "A page of an agent's output.", z.object({ ...attempt, text: z.string(), next })),
});

export const streamOutput = operation({
  id: "streamLoopOutput",
  path: "/api/loops/{loop}/output",
  tag,
  summary: "What the agent printed, as `ralph logs --json` streams it; with `follow` until the loop stops",
  params: loopParam,
  query: {
    iteration: wholeIn(1, 1e9).optional().describe("only that iteration"),
    raw: yesNo.optional().describe("as the agent printed it, not made readable"),
    follow: yesNo.optional().describe("go on until the loop stops"),
  },
  answer: { media: "application/x-ndjson", description: "JSON Lines of {iteration, attempt, text}" },
});

export const cancelLoopOperation = operation({
  id: "cancelLoop",
  method: "POST",
  path: "/api/loops/{loop}/cancel",
  tag,
  summary: "Asks a loop to stop; it has stopped once its status says so",
  params: loopParam,
  status: 202,
  answer: component(
    "CancelledLoop",
    "The loop, and whether there was anything to cancel.",
    loopAnswer.extend({ cancelled: z.boolean().describe("false: it had stopped already") }),
  ),
});
