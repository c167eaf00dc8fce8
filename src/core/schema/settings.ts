import * as z from "zod";
import { isMap } from "../field.ts";
import { DEFAULT_LIMITS, DEFAULT_TURN_TIMEOUTS, FAIL_ACTIONS, NOTICES } from "../loop/spec.ts";
import { agent } from "./agent.ts";
import {
  command,
  countFrom0,
  countSchema,
  dollarsSchema,
  flag,
  listSchema,
  oneOf,
  secondsSchema,
  text,
} from "./atoms.ts";
import { completion } from "./criteria.ts";
import { expected, strict } from "./messages.ts";
import { ralphSettings, ralphSpelling } from "./ralph.ts";
import { documentSpelling } from "./spelling.ts";
import { templates } from "./template.ts";

/** A command run after every iteration. */
export const guardrail = strict(
  {
    command: command.describe("A shell command that must exit 0."),
    failAction: oneOf(FAIL_ACTIONS)
      .meta({ description: "Where its output goes in the next prompt if it fails.", default: "APPEND" })
      .optional(),
    timeout: secondsSchema.describe("Seconds it may take; checkTimeout by default.").optional(),
    hint: text.describe("A text for the agent in addition to its output if it fails.").optional(),
    parallel: flag
      .meta({ description: "Run it together with adjacent parallel guardrails.", default: false })
      .optional(),
  },
  "{ command, failAction }",
);

const scm = strict(
  {
    command: command.meta({ description: "The version control program.", default: "git" }).optional(),
    tasks: listSchema(text, "tasks such as commit and push").describe(
      "Run in order after an iteration whose guardrails pass. Tasks from the first push on wait for the verdict if there was a claim, whatever it is.",
    ),
    message: oneOf(["agent", "title"])
      .meta({
        description: "The source of commit messages: the agent (default for known agents), or the loop's title.",
      })
      .optional(),
    allowDirty: flag
      .meta({ description: "Commit also what was uncommitted before the loop began.", default: false })
      .optional(),
  },
  "{ tasks }",
);

const notice = oneOf(NOTICES);
const webhook = z.url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" });
const receiver = {
  command: command.describe("A shell command that gets the data in its environment.").exactOptional(),
  webhook: webhook
    .meta({ description: "A URL that receives the data as JSON.", pattern: "^https?://" })
    .exactOptional(),
};
const EITHER = { oneOf: [{ required: ["command"] }, { required: ["webhook"] }] };
const isEither = ({ command, webhook }: { command?: string; webhook?: string }): boolean =>
  (command === undefined) !== (webhook === undefined);
const anchor = strict(receiver, "{ command } or { webhook }")
  .refine(isEither, { error: "expected either command or webhook" })
  .meta(EITHER);
const hook = strict(
  {
    on: z
      .union(
        [notice, listSchema(notice, "notices").min(1, expected("at least one notice"))],
        expected(`one of ${NOTICES.join(", ")}, or a list of them`),
      )
      .describe(
        "The events: any stop, any completion, a verified one, the others, those that need the user, waits, iterations; the end of `ralph execute`.",
      ),
    ...receiver,
  },
  "{ on, command } or { on, webhook }",
)
  .refine(isEither, { error: "expected either command or webhook" })
  .meta(EITHER);

/** `.ralph/settings.json` and `.ralph/settings.local.json`. Times are in seconds unless the key ends in `Ms`. */
export const settingsSchema = strict(
  {
    $schema: text.describe("The JSON Schema of this file, for editors.").optional(),
    maximumIterations: countSchema
      .meta({ description: "Iterations after which the loop stops.", default: DEFAULT_LIMITS.maxIterations })
      .optional(),
    completionResponse: text
      .meta({ description: "The text of the completion tag, as in <promise>DONE</promise>.", default: "DONE" })
      .optional(),
    completionInstructions: flag
      .meta({
        description: "Tell the agent how to claim completion, unless the prompt contains the tag.",
        default: true,
      })
      .optional(),
    contradictions: flag
      .meta({
        description: "Without checks, reject a claim next to words such as “tests still fail”.",
        default: true,
      })
      .optional(),
    outputTruncateChars: countSchema
      .meta({
        description: "The maximum number of characters of a command's output in the next prompt.",
        default: 5_000,
      })
      .optional(),
    feedbackMaxChars: countSchema
      .meta({ description: "The maximum number of characters of all feedback in a prompt.", default: 12_000 })
      .optional(),
    streamAgentOutput: flag.meta({ description: "Show the agent's output.", default: true }).optional(),
    agent: agent.describe("The agent; by default the only known one on PATH.").optional(),
    agents: listSchema(agent, "agents")
      .min(1, expected("at least one agent"))
      .describe("Agents in order of preference, instead of agent: the next one takes over while one is rate-limited.")
      .optional(),
    context: oneOf(["fresh", "continue"])
      .meta({ description: "Every iteration in a new session, or in the same one.", default: "fresh" })
      .optional(),
    memory: flag
      .meta({
        description: "Tell a new session what the iterations before it did: changes, checks, the last message, notes.",
        default: true,
      })
      .optional(),
    verify: listSchema(command, "commands")
      .describe("Shell commands that must all exit 0 for a claim to count.")
      .optional(),
    completion: completion
      .describe("What must pass for a claim to count, in addition to the commands of verify.")
      .optional(),
    proof: oneOf(["any", "strict"])
      .meta({
        description:
          "strict: a completion below `judged` exits 1, although the loop or task is complete; claims with changed expected results or new suppressions are refused.",
        default: "any",
      })
      .optional(),
    templates: templates.describe("Named ways to verify, which criteria can use instead of a method.").optional(),
    ralph: ralphSettings.describe("How tasks go through their stages.").optional(),
    guardrails: listSchema(guardrail, "guardrails")
      .describe("Commands run after every iteration; a failure feeds the next prompt and vetoes completion.")
      .optional(),
    scm: scm.describe("Version control after an iteration whose guardrails pass.").optional(),
    notify: listSchema(hook, "notifications").describe("Notifications.").optional(),
    anchor: anchor
      .describe("Receives the hash of the journal's last entry at every stop, to store it out of the agent's reach.")
      .optional(),
    // Checked by the platforms themselves.
    platforms: z.unknown().optional(),
    protect: listSchema(text, "paths")
      .describe("Files, folders and globs that must not change after the loop starts.")
      .optional(),
    maxCostUsd: dollarsSchema.describe("Dollars after which the loop stops; no limit by default.").optional(),
    maxTokens: countSchema.describe("Tokens after which the loop stops; no limit by default.").optional(),
    timeout: secondsSchema
      .describe("Seconds of working time after which the loop stops; no limit by default.")
      .optional(),
    iterationTimeout: secondsSchema
      .meta({
        description: "Seconds an iteration may take.",
        default: DEFAULT_TURN_TIMEOUTS.iterationTimeoutMs / 1_000,
      })
      .optional(),
    idleTimeout: secondsSchema
      .meta({ description: "Seconds an agent may be silent.", default: DEFAULT_TURN_TIMEOUTS.idleTimeoutMs / 1_000 })
      .optional(),
    checkTimeout: secondsSchema
      .meta({ description: "Seconds a check or a guardrail may take.", default: 300 })
      .optional(),
    graceMs: countFrom0
      .meta({
        description: "Milliseconds between the signals that end an agent.",
        default: DEFAULT_TURN_TIMEOUTS.graceMs,
      })
      .optional(),
    maxWaitMs: countSchema
      .meta({
        description: "The maximum number of milliseconds to wait for a usage limit.",
        default: DEFAULT_LIMITS.maxWaitMs,
      })
      .optional(),
    stuckAfter: countFrom0
      .meta({
        description: "Consecutive iterations without progress after which the loop stops; 0: never.",
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
  .refine(
    ({ completion, completionResponse }) =>
      completion?.promise === undefined ||
      completionResponse === undefined ||
      completion.promise === completionResponse,
    {
      path: ["completion", "promise"],
      error: "differs from completionResponse: expected one of them, or both the same",
    },
  )
  .meta({
    title: "Settings of ralph run and ralph execute",
    description:
      ".ralph/settings.json, and .ralph/settings.local.json over it. Times are in seconds unless the key ends in Ms.",
    not: { required: ["agent", "agents"] },
  });
export type Settings = z.infer<typeof settingsSchema>;

/** Parses settings; criteria and templates in either spelling. */
export const validateSettings = (value: unknown) =>
  settingsSchema.safeParse(isMap(value) ? criteriaRespelled(value) : value);

function criteriaRespelled(settings: Record<string, unknown>): Record<string, unknown> {
  const { completion, templates, ralph } = settings;
  return {
    ...settings,
    ...(ralph === undefined ? {} : { ralph: ralphSpelling(ralph) }),
    ...(completion === undefined ? {} : { completion: documentSpelling(completion) }),
    // The user chooses the names of templates.
    ...(isMap(templates)
      ? { templates: Object.fromEntries(Object.entries(templates).map(([name, one]) => [name, documentSpelling(one)])) }
      : {}),
  };
}
