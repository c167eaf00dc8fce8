import * as z from "zod";
import { parseDuration } from "../duration.ts";
import type { Stats } from "../stats/stats.ts";
import { component, operation, wholeIn } from "./api.ts";
import { level, loopParam, moment, specQuery, taskQuery } from "./api-atoms.ts";
import { loopAnswer } from "./api-loops.ts";
import { runAnswer } from "./api-runs.ts";
import { expected } from "./messages.ts";
import { receiptSchema, stage } from "./receipt.ts";

const SINCE_WORDS = "a duration such as 24h or 7d";

/** The output of `ralph stats --json`, and how new it is. */
type StatsAnswer = Stats & { at: number; task: string | null; spec: string | null; since: string | null };

export const listReceipts = operation({
  id: "listReceipts",
  path: "/api/receipts",
  tag: "receipts",
  summary: "List the receipts in this checkout, newest first",
  answer: component(
    "Receipts",
    "Receipts, and the files that are not valid receipts.",
    z.object({
      receipts: z.array(
        z.object({
          loop: z.string(),
          title: z.string(),
          completedAt: moment,
          proof: level,
          weak: z.array(z.string()).describe("what weakens the proof, in words"),
          file: z.string(),
          commit: z.string().nullable(),
          labels: z.array(z.string()).describe("shown with the receipt: the proof is weaker than it looks"),
          intact: z.boolean().describe("whether its digest matches"),
        }),
      ),
      faulty: z.array(z.object({ file: z.string(), message: z.string() })),
    }),
  ),
});

component("ReceiptStage", "What proves the claim: a command, a group of stages, or another method.", stage);

export const showReceipt = operation({
  id: "showReceipt",
  path: "/api/receipts/{loop}",
  tag: "receipts",
  summary: "Show the receipt of a completed loop",
  params: loopParam,
  answer: component("Receipt", "The record of a completion and its proof, which can be verified again.", receiptSchema),
});

export const showStatus = operation({
  id: "showStatus",
  path: "/api/status",
  tag: "server",
  summary: "Show what is running, the totals, and the server itself",
  answer: component(
    "Status",
    "The server and the repository at a glance.",
    z.object({
      version: z.string(),
      repository: z.string(),
      startedAt: moment,
      maxParallel: z.int().describe("the maximum number of concurrent runs"),
      running: z.int().describe("runs that this server drives"),
      platforms: z.array(z.string()),
      events: z.object({ last: z.int().describe("the id of the newest event"), clients: z.int() }),
      tasks: z.record(z.string(), z.int()).describe("the number of tasks by status"),
      runs: z.record(z.string(), z.int()).describe("the number of runs by status"),
      active: z.object({ loops: z.array(loopAnswer), runs: z.array(runAnswer) }),
    }),
  ),
});

export const showStats = operation({
  id: "showStats",
  path: "/api/stats",
  tag: "view",
  summary: "Show time, cost and proof of tasks, stages and iterations, as `ralph stats --json` does",
  query: {
    task: taskQuery,
    spec: specQuery,
    since: z
      .string(expected(SINCE_WORDS))
      .refine((text) => (parseDuration(text) ?? 0) > 0, expected(SINCE_WORDS))
      .optional()
      .describe(`only loops with activity in that time: ${SINCE_WORDS}`),
  },
  answer: component(
    "Stats",
    "Statistics of loops. Every breakdown adds up to the totals.",
    z.looseObject({
      at: z.int().describe("the id of the newest event that they contain"),
      task: z.string().nullable(),
      spec: z.string().nullable(),
      since: moment.nullable(),
    }) as unknown as z.ZodType<StatsAnswer>,
  ),
});

export const showHealth = operation({
  id: "showHealth",
  path: "/health",
  tag: "server",
  summary: "Check that the server responds",
  access: "open",
  answer: component("Health", "The server responds.", z.object({ ok: z.literal(true) })),
});

export const showOpenApi = operation({
  id: "showOpenApi",
  path: "/openapi.json",
  tag: "server",
  summary: "Show this API as an OpenAPI 3.1 document",
  access: "open",
  answer: { media: "application/json", description: "an OpenAPI 3.1 document" },
});

const KINDS = ["loop", "task", "run", "message"] as const;
const KIND_WORDS = `one or more of ${KINDS.join(",")}`;

export const streamEvents = operation({
  id: "streamEvents",
  path: "/events",
  tag: "events",
  summary:
    "Stream everything that happens as Server-Sent Events: `id` is the number, `event` the kind, `data` the entry as JSON",
  query: {
    after: wholeIn(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("only events after this id; the header Last-Event-ID takes precedence (default: from now on)"),
    kind: z
      .string(expected(KIND_WORDS))
      .regex(new RegExp(`^(${KINDS.join("|")})(,(${KINDS.join("|")}))*$`), expected(KIND_WORDS))
      .transform((words) => words.split(","))
      .pipe(z.array(z.string()))
      .optional()
      .describe(`only ${KIND_WORDS}`),
    subject: z
      .string(expected("an id"))
      .min(1, expected("an id"))
      .max(300, expected("an id"))
      .optional()
      .describe("only events of this loop, task, run or conversation (`platform:id`)"),
  },
  answer: { media: "text/event-stream", description: "events of the journals, in the order they became durable" },
});
