import * as z from "zod";
import { command, dollarsSchema, flag, listSchema, secondsSchema, text } from "./atoms.ts";
import { completion } from "./criteria.ts";
import { describe, expected, strict } from "./messages.ts";
import { guardrail } from "./settings.ts";

// What the steps, loops and nodes of a workflow have in common.

/** A name that prompts can use in `$name.output`. */
const PART_NAME = /^[A-Za-z][\w-]*$/;
const NAME_WORDS = "a name of letters, digits, - and _ that begins with a letter";
export const partName = z.string(expected(NAME_WORDS)).regex(PART_NAME, expected(NAME_WORDS));

const COMMAND_WORDS = "the name of a command file without its path and .md, such as plan";
/** A plain name: nothing in it leads out of the folder of the commands. */
export const commandNameSchema = z
  .string(expected(COMMAND_WORDS))
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u, expected(COMMAND_WORDS))
  .max(100, expected("a name of at most 100 characters"));

/** Told from nothing but blanks; kept as it stands. */
export const promptText = (what: string) => z.string(expected(what)).regex(/\S/, expected(`${what}, not empty`));

const tools = (what: string) => listSchema(text, "names of tools").describe(what).exactOptional();

/** Who does the work, and with what. */
export const agentShape = {
  provider: text.describe("The agent; the workflow's when left out, else that of the settings.").exactOptional(),
  model: text.describe("The agent's model.").exactOptional(),
};
export const toolShape = {
  allowed_tools: tools("The only tools that the agent may use; an empty list: none."),
  denied_tools: tools("Tools that the agent must not use."),
};

const MOST_SECONDS = 86_400;
/** Seconds; other tools count these in milliseconds, and a thousand times too long must not pass for what was meant. */
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
    max_attempts: attempts.describe("How many attempts follow one that failed."),
    delay_ms: z
      .int(expected(DELAY))
      .min(0, expected(DELAY))
      .max(600_000, expected(DELAY))
      .meta({ description: "Milliseconds before such an attempt.", default: 3_000 })
      .exactOptional(),
    on_error: z
      .literal("all", {
        error: "expected all: troubles of the environment are waited out without it, and use up no attempt",
      })
      .describe("After which failures: all of them.")
      .exactOptional(),
  },
  "a number of attempts, or { max_attempts, delay_ms }",
);
export const retry = z
  .union([attempts, retryObject], expected(`${ATTEMPTS}, or { max_attempts, delay_ms }`))
  .describe("Attempts that follow one that failed.");
export type WrittenRetry = z.infer<typeof retry>;

const SIGNAL = "the text of the signal, such as COMPLETE";
/** What an agent says when it is done, without the tag around it. */
export const until = z
  .string(expected(SIGNAL))
  .trim()
  .min(1, expected(`${SIGNAL}, not empty`))
  .regex(/^[^<>\r\n]*$/, expected(`${SIGNAL}, in one line and without the tag around it`));

const FROM_1 = "a whole number from 1";
export const maxIterations = z
  .number(expected(`${FROM_1}, without quotes`))
  .refine(Number.isInteger, expected(`${FROM_1}: there are no parts of iterations`))
  .min(1, expected(`${FROM_1}: at least one iteration`))
  .meta({ type: "integer" });

/** What a loop can say besides what begins and ends it. */
export const loopShape = {
  fresh_context: flag
    .meta({ description: "Every iteration in a new session, instead of the one before.", default: false })
    .exactOptional(),
  until_bash: command
    .regex(/\S/, expected("a command"))
    .describe("A shell command, run after every iteration: it has to exit 0 for the loop to end.")
    .exactOptional(),
  verify: z
    .union(
      [command, listSchema(command, "commands"), completion],
      expected("a command, a list of commands, or criteria"),
    )
    .describe(
      "What has to hold for the signal to count: a command, a list of them, or criteria; what the settings say when left out, nothing for an empty list.",
    )
    .exactOptional(),
  guardrails: listSchema(z.union([command, guardrail], expected("a command, or { command, failAction }")), "guardrails")
    .describe("Commands run after every iteration, besides those of the settings.")
    .exactOptional(),
  iteration_timeout: timeoutSeconds.describe("Seconds an iteration may take.").exactOptional(),
  max_cost: dollarsSchema.describe("Dollars after which the loop stops.").exactOptional(),
};
export type LoopExtras = z.infer<z.ZodObject<typeof loopShape>>;

/** For editors: exactly one of these keys. */
export const exactlyOne = (...keys: readonly string[]) => ({ oneOf: keys.map((key) => ({ required: [key] })) });
