import * as z from "zod";
import { DEFAULT_SETUP_TIMEOUT_S } from "../proof/proof.ts";
import { agent } from "./agent.ts";
import { command, count, flag, listOf, oneOf, seconds, text } from "./atoms.ts";
import { type Context, CRITERIA_KEYS, checkConfig, impliedMethod, STAGE_KEYS } from "./config-check.ts";
import { expected, strict } from "./messages.ts";

export const METHODS = ["string_match", "semantic", "external", "multi_stage"] as const;
const METHOD_WORDS = `one of ${METHODS.join(", ")}, or plugin:<name>`;
/** The name of a method. */
export const method = z
  .string(expected(METHOD_WORDS))
  .regex(new RegExp(`^(${METHODS.join("|")}|plugin:\\S+)$`), expected(METHOD_WORDS));

/** Text that is searched for literally: a space at its end may distinguish "0 failed" from "10 failed". */
const exactText = z.string(expected("text")).regex(/\S/, expected("text that is not empty"));
const texts = (what: string) =>
  z.union(
    [exactText, listOf(exactText, what).min(1, expected(`at least one of the ${what}`))],
    expected(`text, or a list of ${what}`),
  );

const judge = strict(
  {
    agent: agent.describe("An agent other than the loop's own.").exactOptional(),
    provider: oneOf(["anthropic", "openai"])
      .describe("A model behind an HTTP API instead: Anthropic's, or any with OpenAI's chat completions API.")
      .exactOptional(),
    base_url: z
      .url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" })
      .describe("The URL of that API; the provider's own by default.")
      .exactOptional(),
    api_key_env: z
      .string(expected("the name of an environment variable"))
      .regex(/^[A-Za-z_]\w*$/, expected("the name of an environment variable"))
      .describe("The environment variable that contains its key.")
      .exactOptional(),
    model: text.describe("The judge's model.").exactOptional(),
  },
  "{ agent } or { provider, model }",
);

const externalConfig = strict(
  {
    command: command.describe("A shell command; several lines are one script."),
    success_exit_code: z
      .int(expected("an exit code"))
      .min(0, expected("0 to 255"))
      .max(255, expected("0 to 255"))
      .meta({ description: "The exit code that means success.", default: 0 })
      .exactOptional(),
    output_contains: texts("texts").describe("Must occur in its output.").exactOptional(),
    output_not_contains: texts("texts").describe("Must not occur in its output.").exactOptional(),
    timeout: seconds.describe("Seconds it may take; checkTimeout by default.").exactOptional(),
    working_dir: text.describe("The folder to run in, inside the loop's folder.").exactOptional(),
    env: z
      .record(z.string(), z.string(expected("text")), expected("a map of names and texts"))
      .describe("Environment variables for it.")
      .exactOptional(),
  },
  "{ command }",
);

const semanticConfig = strict(
  {
    check_for: texts("criteria")
      .describe("What the judge decides, each separately; {{acceptance_criteria}} inserts the acceptance criteria.")
      .exactOptional(),
    negative_patterns: texts("texts")
      .describe("Texts that reject the claim without a judge if they occur in the last message or in added lines.")
      .exactOptional(),
    model: text.describe("The judge's model.").exactOptional(),
    judge: judge.describe("Who judges; the loop's own agent by default.").exactOptional(),
    on_error: oneOf(["string_match", "unknown"])
      .meta({
        description: "The result if the judge cannot be reached: unknown, or the promise alone decides.",
        default: "unknown",
      })
      .exactOptional(),
    timeout: seconds.describe("Seconds the judge may take.").exactOptional(),
  },
  "{ check_for }",
);

/** The configuration of any method. */
export const anyConfig = z.record(z.string(), z.unknown(), expected("a map"));

/** The keys of every stage. */
const stageShape = {
  name: text.meta({ description: "Its name.", default: "unnamed" }).exactOptional(),
  method: method.meta({ description: `How it is verified: ${METHOD_WORDS}.`, default: "string_match" }).exactOptional(),
  config: anyConfig.describe("The configuration of that method, or the parameters of the template.").exactOptional(),
  template: text.describe("The name of a template instead of a method.").exactOptional(),
  timeout: seconds.describe("Seconds it may take, unless its config sets a timeout.").exactOptional(),
  required: flag.meta({ description: "False: it only warns.", default: true }).exactOptional(),
  parallel: flag.meta({ description: "Run together with adjacent parallel stages.", default: false }).exactOptional(),
  cache: flag.meta({ description: "Its result may be reused while nothing changes.", default: true }).exactOptional(),
  protect: listOf(text, "globs").describe("Files that must not change while the loop runs.").exactOptional(),
  require_red_first: flag
    .meta({ description: "It must fail before the work is done.", default: false })
    .exactOptional(),
};

const stage = strict(stageShape, "{ name, method, config }").superRefine(({ method, config, template }, context) =>
  checkConfig({ method, config, template }, { keys: STAGE_KEYS, configs: CONFIGS }, context),
);

const multiStageConfig = strict(
  {
    stages: listOf(stage, "stages").min(1, expected("at least one stage")).describe("In the order they run."),
    require_all: flag
      .meta({ description: "Stop at the first required stage that does not pass.", default: true })
      .exactOptional(),
  },
  "{ stages }",
);

/** A method with its configuration; a plugin validates its own. */
type Configured =
  | { method: "string_match" }
  | { method: "external"; config: ExternalConfig }
  | { method: "semantic"; config: SemanticConfig }
  | { method: "multi_stage"; config: MultiStageConfig }
  | { method: "plugin"; plugin: string; config: Record<string, unknown> };

const PLUGIN = "plugin:";

/** Parses a method's configuration, which was validated with the criteria. */
export function configured(given: string | undefined, config: Record<string, unknown> = {}): Configured {
  const method = given ?? impliedMethod(config) ?? "string_match";
  if (method === "external") return { method, config: externalConfig.parse(config) };
  if (method === "semantic") return { method, config: semanticConfig.parse(config) };
  if (method === "multi_stage") return { method, config: multiStageConfig.parse(config) };
  if (method.startsWith(PLUGIN)) return { method: "plugin", plugin: method.slice(PLUGIN.length), config };
  return { method: "string_match" };
}

const noConfig = strict({}, "nothing: the promise alone decides");
/** The schema of each method's configuration. */
export const CONFIGS: Record<string, z.ZodObject> = {
  external: externalConfig,
  semantic: semanticConfig,
  multi_stage: multiStageConfig,
  string_match: noConfig,
};

/** How to set up a fresh checkout. */
export const setUpShape = {
  setup: command.describe("Sets up a fresh checkout; by default the command for its lockfile.").exactOptional(),
  cached: listOf(text, "folders")
    .describe("Folders created by the setup, cached by the lockfile's hash.")
    .exactOptional(),
  timeout: seconds
    .meta({ description: "Seconds the setup may take.", default: DEFAULT_SETUP_TIMEOUT_S })
    .exactOptional(),
};

const cleanRoom = strict(setUpShape, "true, false or { setup, cached }");

/** The keys of criteria, wherever they occur. */
const criteriaShape = {
  description: exactText.describe("What success means, for people and for the agent.").exactOptional(),
  verification_method: method.describe(`How a claim is verified: ${METHOD_WORDS}.`).exactOptional(),
  verification_config: anyConfig
    .describe("The configuration of that method, or the parameters of the template.")
    .exactOptional(),
  verification_template: text.describe("The name of a template instead of a method.").exactOptional(),
  timeout: seconds.describe("Seconds the method may take, unless its config sets a timeout.").exactOptional(),
  verify_promises: flag
    .meta({ description: "False: no method runs, and the promise alone decides.", default: true })
    .exactOptional(),
  judge: judge.describe("Who judges what no command can check, unless a stage sets it.").exactOptional(),
  baseline: flag.meta({ description: "Run the checks once before any work.", default: true }).exactOptional(),
  require_red_first: flag
    .meta({ description: "Refuse to start if the checks already pass.", default: false })
    .exactOptional(),
  missing_ok: flag
    .meta({
      description: "Files that a check's command needs may be missing before the work; the check fails until then.",
      default: false,
    })
    .exactOptional(),
  protect: listOf(text, "globs").describe("Files that must not change while the loop runs.").exactOptional(),
  allow_test_changes: flag
    .meta({ description: "Existing tests may be deleted, skipped and weakened.", default: false })
    .exactOptional(),
  zero_work_guard: flag
    .meta({
      description: "Refuse a claim if no tool was used and nothing changed (not for reviewer, tester and qa).",
      default: true,
    })
    .exactOptional(),
  nonce: flag.meta({ description: "A fresh token in the promise of every iteration.", default: false }).exactOptional(),
  strict: flag
    .meta({ description: "The promise must be alone on its line, in exact case.", default: false })
    .exactOptional(),
  clean_room: z
    .union([z.boolean(), cleanRoom], expected("true, false or { setup, cached }"))
    .meta({ description: "Run the checks on the commit, in a fresh checkout elsewhere.", default: false })
    .exactOptional(),
  cache: flag
    .meta({ description: "Reuse results within an iteration if nothing changed.", default: true })
    .exactOptional(),
  max_parallel: count.meta({ description: "The maximum number of concurrent checks.", default: 4 }).exactOptional(),
};

const criteriaObject = strict(criteriaShape, "criteria");

const criterion = strict(
  {
    text: exactText.describe("The criterion, in words."),
    check: command.describe("A shell command that exits 0 if the criterion is met.").exactOptional(),
  },
  "text, or { text, check }",
);
const acceptance = listOf(z.union([exactText, criterion], expected("text, or { text, check }")), "criteria");

const configFits = (given: z.infer<typeof criteriaObject>, context: Context) =>
  checkConfig(
    { method: given.verification_method, config: given.verification_config, template: given.verification_template },
    { keys: CRITERIA_KEYS, configs: CONFIGS },
    context,
  );

const promise = text.describe("The text of the completion tag.");

/** What "done" means for one agent's part of a task. */
export const completionCriteria = strict(
  {
    promise,
    ...criteriaShape,
    max_iterations: count.nullable().describe("Iterations after which its loop stops.").exactOptional(),
  },
  "{ promise, description, verification_method }",
).superRefine(configFits);
export type CompletionCriteria = z.infer<typeof completionCriteria>;

/** What "done" means for a task. */
export const taskCompletionSpec = strict(
  {
    outcome: exactText.describe("The result when the task is done, in one sentence."),
    acceptance_criteria: acceptance.describe("What must be true, each with its own check if there is one."),
    coder: completionCriteria.nullable().exactOptional(),
    reviewer: completionCriteria.nullable().exactOptional(),
    tester: completionCriteria.nullable().exactOptional(),
    qa: completionCriteria.nullable().exactOptional(),
  },
  "{ outcome, acceptance_criteria }",
);
export type TaskCompletionSpec = z.infer<typeof taskCompletionSpec>;

/** The completion of a loop without a task: criteria and the expected result. */
export const completion = strict(
  {
    promise: promise.exactOptional(),
    outcome: exactText.describe("The result when the work is done, in one sentence.").exactOptional(),
    acceptance_criteria: acceptance
      .describe("What must be true, each with its own check if there is one.")
      .exactOptional(),
    ...criteriaShape,
  },
  "{ promise, verification_method, verification_config }",
).superRefine(configFits);
export type Completion = z.infer<typeof completion>;

export type AcceptanceCriterion = z.infer<typeof acceptance>[number];
export type ExternalConfig = z.infer<typeof externalConfig>;
export type SemanticConfig = z.infer<typeof semanticConfig>;
type MultiStageConfig = z.infer<typeof multiStageConfig>;
export type StageConfig = z.infer<typeof stage>;
export type JudgeConfig = z.infer<typeof judge>;

/** Every known key of criteria, to distinguish them from the user's own keys. */
export const DOCUMENT_KEYS: ReadonlySet<string> = new Set(
  [
    completionCriteria,
    taskCompletionSpec,
    completion,
    criterion,
    cleanRoom,
    judge,
    stage,
    ...Object.values(CONFIGS),
  ].flatMap(({ shape }) => Object.keys(shape)),
);
