import * as z from "zod";
import { command, dollarsSchema, flag, listSchema, secondsSchema, text } from "./atoms.ts";
import { completion } from "./criteria.ts";
import { describe, expected, strict } from "./messages.ts";
import { guardrail } from "./settings.ts";

// What the steps, loops and nodes of a workflow have in common.

/** A name that prompts can use in `$name.output`. */
const PART_NAME = /^[A-Za-z][\w-]*$/;
const NAME_WORDS = "a name of letters, digits, - and _ that starts with a letter";
export const partName = z.string(expected(NAME_WORDS)).regex(PART_NAME, expected(NAME_WORDS));

const COMMAND_WORDS = "the name of a command file without its path and .md, such as plan";
/** A plain name that cannot leave the commands folder. */
export const commandNameSchema = z
  .string(expected(COMMAND_WORDS))
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u, expected(COMMAND_WORDS))
  .max(100, expected("a name of at most 100 characters"));

/** Text with more than white space, kept unchanged. */
export const promptText = (what: string) => z.string(expected(what)).regex(/\S/, expected(`${what}, not empty`));

const tools = (what: string) => listSchema(text, "names of tools").describe(what).exactOptional();

/** The agent and its model. */
export const agentShape = {
  provider: text.describe("The agent; by default that of the workflow, then of the settings.").exactOptional(),
  model: text.describe("The agent's model.").exactOptional(),
};
export const toolShape = {
  allowed_tools: tools("The only tools that the agent may use; an empty list: none."),
  denied_tools: tools("Tools that the agent must not use."),
};

const MOST_SECONDS = 86_400;
/** Seconds. The limit catches milliseconds, which other tools use here. */
export const timeoutSeconds = secondsSchema.max(MOST_SECONDS, {
  error: ({ input }) => `expected seconds, at most ${MOST_SECONDS} (a day), got ${describe(input)}: milliseconds?`,
});

const MILLISECONDS = "milliseconds, as Archon counts them here, from 1000 to 86400000";
export const timeoutMilliseconds = z
  .number(expected(MILLISECONDS))
  .min(1_000, expected(MILLISECONDS))
  .max(MOST_SECONDS * 1_000, expected(MILLISECONDS));

const ATTEMPTS = "a whole number from 0 to 10";
const attempts = z.int(expected(ATTEMPTS)).min(0, expected(ATTEMPTS)).max(10, expected(ATTEMPTS));
const DELAY = "milliseconds from 0 to 600000";
const retryObject = strict(
  {
    max_attempts: attempts.describe("The number of retries after a failure."),
    delay_ms: z
      .int(expected(DELAY))
      .min(0, expected(DELAY))
      .max(600_000, expected(DELAY))
      .meta({ description: "Milliseconds before a retry.", default: 3_000 })
      .exactOptional(),
    on_error: z
      .literal("all", {
        error: "expected all: environment troubles are waited out anyway and do not count as an attempt",
      })
      .describe("Which failures to retry: all of them.")
      .exactOptional(),
  },
  "a number of attempts, or { max_attempts, delay_ms }",
);
export const retry = z
  .union([attempts, retryObject], expected(`${ATTEMPTS}, or { max_attempts, delay_ms }`))
  .describe("Retries after a failure.");
export type WrittenRetry = z.infer<typeof retry>;

const SIGNAL = "the text of the signal, such as COMPLETE";
/** The signal of an agent that is done, without the tag around it. */
export const until = z
  .string(expected(SIGNAL))
  .trim()
  .min(1, expected(`${SIGNAL}, not empty`))
  .regex(/^[^<>\r\n]*$/, expected(`${SIGNAL}, in one line and without the tag around it`));

const FROM_1 = "a whole number from 1";
export const maxIterations = z
  .number(expected(`${FROM_1}, without quotes`))
  .refine(Number.isInteger, expected(`${FROM_1}: iterations cannot be fractional`))
  .min(1, expected(`${FROM_1}: at least one iteration`))
  .meta({ type: "integer" });

/** The optional keys of a loop. */
export const loopShape = {
  fresh_context: flag
    .meta({ description: "Run every iteration in a new session instead of the previous one.", default: false })
    .exactOptional(),
  until_bash: command
    .regex(/\S/, expected("a command"))
    .describe("A shell command, run after every iteration: it must exit 0 for the loop to end.")
    .exactOptional(),
  verify: z
    .union(
      [command, listSchema(command, "commands"), completion],
      expected("a command, a list of commands, or criteria"),
    )
    .describe(
      "What must pass for the signal to count: a command, a list of commands, or criteria. By default the settings apply; an empty list means nothing.",
    )
    .exactOptional(),
  guardrails: listSchema(z.union([command, guardrail], expected("a command, or { command, failAction }")), "guardrails")
    .describe("Commands run after every iteration, in addition to those of the settings.")
    .exactOptional(),
  iteration_timeout: timeoutSeconds.describe("Seconds an iteration may take.").exactOptional(),
  max_cost: dollarsSchema.describe("Dollars after which the loop stops.").exactOptional(),
};
export type LoopExtras = z.infer<z.ZodObject<typeof loopShape>>;

/** For editors: exactly one of these keys. */
export const exactlyOne = (...keys: readonly string[]) => ({ oneOf: keys.map((key) => ({ required: [key] })) });
