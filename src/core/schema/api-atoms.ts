import * as z from "zod";
import { LEVELS } from "../proof/level.ts";
import { ID_WORDS, isId } from "../task/task.ts";
import { limitOf, wholeIn } from "./api.ts";
import { expected } from "./messages.ts";

/** Ids of loops and runs: never a path or file name. */
const WHICH = /^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/;
const wordOf = (what: string) => z.string(expected(what)).regex(WHICH, expected(what)).describe(what);

export const loopParam = { loop: wordOf("the id of a loop, a prefix of one, or `last`") };
export const runParam = { run: wordOf("the id of a run, a prefix of one, or `last`") };

const taskOrSpec = (what: string) =>
  z
    .string(expected(what))
    .refine(isId, expected(`${what}: ${ID_WORDS}`))
    .describe(what);
export const taskParam = { task: taskOrSpec("the id of a task") };
export const specParam = { spec: taskOrSpec("the id of a spec") };
export const taskQuery = taskOrSpec("only for this task").optional();
export const specQuery = taskOrSpec("only for this spec").optional();

/** A page of a journal. */
export const pageQuery = {
  after: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).describe("only entries after this number (default 0)"),
  limit: limitOf(100, 1_000),
};

/** Milliseconds since 1970. */
export const momentMs = z.number().describe("milliseconds since 1970");
export const moment = z.string().describe("a timestamp such as 2026-01-31T12:00:00.000Z");

/** The proof level of a completion. */
export const level = z.enum(LEVELS).describe("the level of its proof, the strongest first");

/** The cursor for the next page. */
export const next = z.int().nullable().describe("the value of `after` for the next page; null if there is no more yet");

/** The id of a conversation; its format depends on the platform. */
const CONVERSATION = /^[\w@.:+=-]{1,200}$/;
const CONVERSATION_WORDS = "the id of a conversation: at most 200 letters, digits and @.:+=_-";
export const conversationId = z
  .string(expected(CONVERSATION_WORDS))
  .regex(CONVERSATION, expected(CONVERSATION_WORDS))
  .describe(CONVERSATION_WORDS);
const PLATFORM_WORDS = "the name of a platform";
export const platformName = z
  .string(expected(PLATFORM_WORDS))
  .regex(/^[a-z][a-z0-9-]{0,31}$/, expected(PLATFORM_WORDS))
  .describe(PLATFORM_WORDS);
const WORKFLOW_WORDS = "the name of a workflow";
export const workflowName = z
  .string(expected(WORKFLOW_WORDS))
  .min(1, expected(WORKFLOW_WORDS))
  .max(200, expected(WORKFLOW_WORDS))
  .describe(WORKFLOW_WORDS);
