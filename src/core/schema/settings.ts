import * as z from "zod";
import { FAIL_ACTIONS } from "../loop/spec.ts";
import { expected, strict } from "./messages.ts";

const text = z.string(expected("text")).trim().min(1, expected("text that is not empty"));
const command = z.string(expected("a command")).min(1, expected("a command"));
const flag = z.boolean(expected("true or false"));
const seconds = z.number(expected("seconds")).positive(expected("seconds, more than 0"));
const dollars = z.number(expected("dollars")).positive(expected("dollars, more than 0"));
const count = z.int(expected("a whole number")).min(1, expected("a whole number from 1"));
const countFrom0 = z.int(expected("a whole number")).min(0, expected("a whole number from 0"));
const listOf = <Item extends z.ZodType>(item: Item, what: string) => z.array(item, expected(`a list of ${what}`));
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, expected(`one of ${words.join(", ")}`));

const agent = strict({ command, flags: listOf(z.string(expected("text")), "flags").optional() }, "{ command, flags }");

const guardrail = strict(
  { command, failAction: oneOf(FAIL_ACTIONS).optional(), timeout: seconds.optional() },
  "{ command, failAction }",
);

const scm = strict({ command: oneOf(["git"]).optional(), tasks: listOf(oneOf(["commit"]), "tasks") }, "{ tasks }");

/** `.ralph/settings.json` and `.ralph/settings.local.json`. Times are in seconds unless the key ends in `Ms`. */
export const settingsSchema = strict(
  {
    $schema: text.optional(),
    maximumIterations: count.optional(),
    completionResponse: text.optional(),
    completionInstructions: flag.optional(),
    contradictions: flag.optional(),
    outputTruncateChars: count.optional(),
    streamAgentOutput: flag.optional(),
    agent: agent.optional(),
    context: oneOf(["fresh", "continue"]).optional(),
    verify: listOf(command, "commands").optional(),
    guardrails: listOf(guardrail, "guardrails").optional(),
    scm: scm.optional(),
    protect: listOf(text, "paths").optional(),
    maxCostUsd: dollars.optional(),
    maxTokens: count.optional(),
    timeout: seconds.optional(),
    iterationTimeout: seconds.optional(),
    idleTimeout: seconds.optional(),
    checkTimeout: seconds.optional(),
    graceMs: countFrom0.optional(),
    maxWaitMs: count.optional(),
    stuckAfter: countFrom0.optional(),
  },
  "settings: a JSON object",
);
export type Settings = z.infer<typeof settingsSchema>;
