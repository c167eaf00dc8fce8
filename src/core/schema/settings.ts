import * as z from "zod";
import { FAIL_ACTIONS } from "../loop/spec.ts";

const seconds = z.number().positive();
const count = z.int().positive();

const Agent = z.strictObject({
  command: z.string().min(1),
  flags: z.array(z.string()).optional(),
});

const Guardrail = z.strictObject({
  command: z.string().min(1),
  failAction: z.enum(FAIL_ACTIONS).optional(),
  timeout: seconds.optional(),
});

const Scm = z.strictObject({
  command: z.literal("git").optional(),
  tasks: z.array(z.literal("commit")),
});

/** `.ralph/settings.json` and `.ralph/settings.local.json`. Times are in seconds unless the key ends in `Ms`. */
export const Settings = z.strictObject({
  $schema: z.string().optional(),
  maximumIterations: count.optional(),
  completionResponse: z.string().trim().min(1).optional(),
  completionInstructions: z.boolean().optional(),
  contradictions: z.boolean().optional(),
  outputTruncateChars: count.optional(),
  streamAgentOutput: z.boolean().optional(),
  agent: Agent.optional(),
  context: z.enum(["fresh", "continue"]).optional(),
  verify: z.array(z.string().min(1)).optional(),
  guardrails: z.array(Guardrail).optional(),
  scm: Scm.optional(),
  protect: z.array(z.string().min(1)).optional(),
  maxCostUsd: z.number().positive().optional(),
  maxTokens: count.optional(),
  timeout: seconds.optional(),
  iterationTimeout: seconds.optional(),
  idleTimeout: seconds.optional(),
  checkTimeout: seconds.optional(),
  graceMs: z.int().nonnegative().optional(),
  maxWaitMs: count.optional(),
  stuckAfter: z.int().nonnegative().optional(),
});
export type Settings = z.infer<typeof Settings>;
