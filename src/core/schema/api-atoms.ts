import * as z from "zod";
import { LEVELS } from "../proof/level.ts";
import { ID_WORDS, isId } from "../task/task.ts";
import { limitOf, wholeIn } from "./api.ts";
import { expected } from "./messages.ts";

/** Loops and runs by their ids: never a path, never a file's name. */
const WHICH = /^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/;
const wordOf = (what: string) => z.string(expected(what)).regex(WHICH, expected(what)).describe(what);

export const loopParam = { loop: wordOf("the id of a loop, the beginning of one, or `last`") };
export const runParam = { run: wordOf("the id of a run, the beginning of one, or `last`") };

const taskOrSpec = (what: string) =>
  z
    .string(expected(what))
    .refine(isId, expected(`${what}: ${ID_WORDS}`))
    .describe(what);
export const taskParam = { task: taskOrSpec("the id of a task") };
export const specParam = { spec: taskOrSpec("the id of a spec") };
export const taskQuery = taskOrSpec("only those of this task").optional();
export const specQuery = taskOrSpec("only those of this spec").optional();

/** A page of a journal. */
export const pageQuery = {
  after: wholeIn(0, Number.MAX_SAFE_INTEGER).default(0).describe("only what comes after this number (default 0)"),
  limit: limitOf(100, 1_000),
};

/** Milliseconds since 1970. */
export const momentMs = z.number().describe("milliseconds since 1970");
export const moment = z.string().describe("a moment such as 2026-01-31T12:00:00.000Z");

/** What a completion rests on. */
export const level = z.enum(LEVELS).describe("the level of its proof, the strongest first");

/** What `next` of a page says. */
export const next = z.int().nullable().describe("what to ask for as `after` to go on; null: this was all so far");

/** What people call a conversation; on a platform it has that platform's own form. */
const CONVERSATION = /^[\w@.:+=-]{1,200}$/;
const CONVERSATION_WORDS = "the id of a conversation: letters, digits and @.:+=_-, at most 200 of them";
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
