import * as z from "zod";
import { DEFAULT_LIMITS, DEFAULT_PATIENCE, FAIL_ACTIONS, NOTICES } from "../loop/spec.ts";
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

const perMillion = z.number(expected("dollars per million tokens")).nonnegative(expected("dollars, 0 or more"));
const price = strict(
  {
    input: perMillion.describe("Dollars per million input tokens."),
    output: perMillion.describe("Dollars per million output tokens."),
    cachedInput: perMillion
      .describe("Dollars per million cached input tokens; as input when left out.")
      .exactOptional(),
  },
  "{ input, output, cachedInput }: dollars per million tokens",
);

const agent = strict(
  {
    command: command.describe("The agent: a known one (claude, codex, amp, gemini, opencode, qwen) or any program."),
    flags: listOf(z.string(expected("text")), "flags")
      .describe("Flags added after those that make it answer once; `--model opus` may be one entry.")
      .exactOptional(),
    output: oneOf(["stream", "text"])
      .meta({ description: "text: read plain output also where the agent has a structured stream.", default: "stream" })
      .exactOptional(),
    prompt: oneOf(["argument", "stdin"])
      .describe("How it is given the prompt; by default the way that suits it best.")
      .exactOptional(),
    price: price.describe("What its tokens cost, for an agent that tells tokens but not dollars.").exactOptional(),
  },
  "{ command, flags }",
);
export type AgentSettings = z.infer<typeof agent>;

const guardrail = strict(
  {
    command: command.describe("A shell command that has to exit 0."),
    failAction: oneOf(FAIL_ACTIONS)
      .meta({ description: "Where its output goes in the next prompt when it fails.", default: "APPEND" })
      .optional(),
    timeout: seconds.describe("Seconds it may take; checkTimeout when left out.").optional(),
    hint: text.describe("What the agent is told besides its output when it fails.").optional(),
    parallel: flag
      .meta({ description: "Run it together with the parallel ones beside it.", default: false })
      .optional(),
  },
  "{ command, failAction }",
);

const scm = strict(
  {
    command: command.meta({ description: "The version control program.", default: "git" }).optional(),
    tasks: listOf(text, "tasks such as commit and push").describe(
      "Run in order after an iteration with green guardrails; from the first push on after the verdict, where there was a claim, whatever it says.",
    ),
    message: oneOf(["agent", "title"])
      .meta({ description: "Who writes commit messages: the agent, or the loop's title is taken.", default: "agent" })
      .optional(),
  },
  "{ tasks }",
);

const notice = oneOf(NOTICES);
const webhook = z.url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" });
const hook = strict(
  {
    on: z
      .union(
        [notice, listOf(notice, "notices").min(1, expected("at least one notice"))],
        expected(`one of ${NOTICES.join(", ")}, or a list of them`),
      )
      .describe("What to tell: any stop, the verified one, the others, those that need a person, waits, iterations."),
    command: command.describe("A shell command that finds the facts in its environment.").exactOptional(),
    webhook: webhook.meta({ description: "A URL that gets the facts as JSON.", pattern: "^https?://" }).exactOptional(),
  },
  "{ on, command } or { on, webhook }",
)
  .refine(({ command, webhook }) => (command === undefined) !== (webhook === undefined), {
    error: "expected either command or webhook",
  })
  .meta({ oneOf: [{ required: ["command"] }, { required: ["webhook"] }] });

/** `.ralph/settings.json` and `.ralph/settings.local.json`. Times are in seconds unless the key ends in `Ms`. */
export const settingsSchema = strict(
  {
    $schema: text.describe("The JSON Schema of this file, for editors.").optional(),
    maximumIterations: count
      .meta({ description: "Iterations after which the loop stops.", default: DEFAULT_LIMITS.maxIterations })
      .optional(),
    completionResponse: text
      .meta({ description: "The text of the completion tag, as in <promise>DONE</promise>.", default: "DONE" })
      .optional(),
    completionInstructions: flag
      .meta({ description: "Tell the agent how to claim, unless the prompt names the tag itself.", default: true })
      .optional(),
    contradictions: flag
      .meta({
        description: "Without checks, a claim beside words such as “tests still fail” does not stand.",
        default: true,
      })
      .optional(),
    outputTruncateChars: count
      .meta({ description: "Characters of a command's output that the next prompt may carry.", default: 5_000 })
      .optional(),
    streamAgentOutput: flag.meta({ description: "Show what the agent prints.", default: true }).optional(),
    agent: agent.describe("The agent; the only known one on PATH when left out.").optional(),
    agents: listOf(agent, "agents")
      .min(1, expected("at least one agent"))
      .describe("Agents in order of preference instead of agent: the next takes over while one is limited.")
      .optional(),
    context: oneOf(["fresh", "continue"])
      .meta({ description: "Every iteration in a new session, or in the same one.", default: "fresh" })
      .optional(),
    verify: listOf(command, "commands")
      .describe("Shell commands that all have to exit 0 for a claim to count.")
      .optional(),
    guardrails: listOf(guardrail, "guardrails")
      .describe("Commands run after every iteration; a failure feeds the next prompt and vetoes completion.")
      .optional(),
    scm: scm.describe("Version control after an iteration with green guardrails.").optional(),
    notify: listOf(hook, "notifications").describe("Whom to tell what.").optional(),
    protect: listOf(text, "paths").describe("Files and folders whose change during the loop is tampering.").optional(),
    maxCostUsd: dollars.describe("Dollars after which the loop stops; no limit when left out.").optional(),
    maxTokens: count.describe("Tokens after which the loop stops; no limit when left out.").optional(),
    timeout: seconds.describe("Seconds of working time after which the loop stops; no limit when left out.").optional(),
    iterationTimeout: seconds
      .meta({ description: "Seconds an iteration may take.", default: DEFAULT_PATIENCE.iterationTimeoutMs / 1_000 })
      .optional(),
    idleTimeout: seconds
      .meta({ description: "Seconds an agent may be silent.", default: DEFAULT_PATIENCE.idleTimeoutMs / 1_000 })
      .optional(),
    checkTimeout: seconds.meta({ description: "Seconds a check or a guardrail may take.", default: 300 }).optional(),
    graceMs: countFrom0
      .meta({ description: "Milliseconds between the signals that end an agent.", default: DEFAULT_PATIENCE.graceMs })
      .optional(),
    maxWaitMs: count
      .meta({ description: "Milliseconds to wait at most for a usage limit.", default: DEFAULT_LIMITS.maxWaitMs })
      .optional(),
    stuckAfter: countFrom0
      .meta({
        description: "Iterations in a row without anything new after which the loop stops; 0: never.",
        default: DEFAULT_LIMITS.stuckAfter,
      })
      .optional(),
  },
  "settings: a JSON object",
)
  .refine(({ agent, agents }) => agent === undefined || agents === undefined, {
    path: ["agents"],
    error: "expected either agent or agents, got both",
  })
  .meta({
    title: "Settings of ralph run",
    description:
      ".ralph/settings.json, and .ralph/settings.local.json over it. Times are in seconds unless the key ends in Ms.",
    not: { required: ["agent", "agents"] },
  });
export type Settings = z.infer<typeof settingsSchema>;
