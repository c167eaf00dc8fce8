import * as z from "zod";
import { DEFAULT_SETUP_TIMEOUT_S } from "../proof/proof.ts";
import { agent } from "./agent.ts";
import { command, countSchema, flag, listSchema, oneOf, secondsSchema, text } from "./atoms.ts";
import { type Context, CRITERIA_KEYS, checkConfig, impliedMethod, STAGE_KEYS } from "./config-check.ts";
import { expected, strict } from "./messages.ts";

export const METHODS = ["string_match", "semantic", "external", "multi_stage"] as const;
const METHOD_WORDS = `one of ${METHODS.join(", ")}, or plugin:<name>`;
/** The name of a method. */
export const method = z
  .string(expected(METHOD_WORDS))
  .regex(new RegExp(`^(${METHODS.join("|")}|plugin:\\S+)$`), expected(METHOD_WORDS));

/** Text that is looked for as it stands: a space at its end may be what tells "0 failed" from "10 failed". */
const exactText = z.string(expected("text")).regex(/\S/, expected("text that is not empty"));
const texts = (what: string) =>
  z.union(
    [exactText, listSchema(exactText, what).min(1, expected(`at least one of the ${what}`))],
    expected(`text, or a list of ${what}`),
  );

const judge = strict(
  {
    agent: agent.describe("Another agent than the loop's own.").exactOptional(),
    provider: oneOf(["anthropic", "openai"])
      .describe("A model behind an HTTP interface instead: Anthropic's, or any that speaks OpenAI's chat completions.")
      .exactOptional(),
    base_url: z
      .url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" })
      .describe("Where that interface is; the provider's own when left out.")
      .exactOptional(),
    api_key_env: z
      .string(expected("the name of an environment variable"))
      .regex(/^[A-Za-z_]\w*$/, expected("the name of an environment variable"))
      .describe("The environment variable that holds its key.")
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
    output_contains: texts("texts").describe("Has to occur in its output.").exactOptional(),
    output_not_contains: texts("texts").describe("Must not occur in its output.").exactOptional(),
    timeout: secondsSchema.describe("Seconds it may take; checkTimeout when left out.").exactOptional(),
    working_dir: text.describe("A folder inside the loop's, where it runs.").exactOptional(),
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
      .describe("What the judge decides, each for itself; {{acceptance_criteria}} stands for those.")
      .exactOptional(),
    negative_patterns: texts("texts")
      .describe("Texts whose mention in the last message or in added lines rejects the claim without a judge.")
      .exactOptional(),
    model: text.describe("The judge's model.").exactOptional(),
    judge: judge.describe("Who judges; the loop's own agent when left out.").exactOptional(),
    on_error: oneOf(["string_match", "unknown"])
      .meta({
        description: "What a judge that cannot be reached means: unknown, or the promise alone decides.",
        default: "unknown",
      })
      .exactOptional(),
    timeout: secondsSchema.describe("Seconds the judge may take.").exactOptional(),
  },
  "{ check_for }",
);

/** The configuration of any method. */
export const anyConfig = z.record(z.string(), z.unknown(), expected("a map"));

/** What every stage can say beside its method. */
const stageShape = {
  name: text.meta({ description: "Its name.", default: "unnamed" }).exactOptional(),
  method: method.meta({ description: `How it is verified: ${METHOD_WORDS}.`, default: "string_match" }).exactOptional(),
  config: anyConfig.describe("What that method needs to know, or the parameters of the template.").exactOptional(),
  template: text.describe("The name of a template instead of a method.").exactOptional(),
  timeout: secondsSchema.describe("Seconds it may take, where its config does not say.").exactOptional(),
  required: flag.meta({ description: "False: it only warns.", default: true }).exactOptional(),
  parallel: flag
    .meta({ description: "Runs together with the parallel ones beside it.", default: false })
    .exactOptional(),
  cache: flag
    .meta({ description: "Its result may be taken over while nothing changes.", default: true })
    .exactOptional(),
  protect: listSchema(text, "globs").describe("Files that must not change while the loop runs.").exactOptional(),
  require_red_first: flag
    .meta({ description: "It has to fail before the work is done.", default: false })
    .exactOptional(),
};

const stage = strict(stageShape, "{ name, method, config }").superRefine(({ method, config, template }, context) =>
  checkConfig({ method, config, template }, { keys: STAGE_KEYS, configs: CONFIGS }, context),
);

const multiStageConfig = strict(
  {
    stages: listSchema(stage, "stages").min(1, expected("at least one stage")).describe("In the order they run."),
    require_all: flag
      .meta({ description: "Stop at the first required stage that does not pass.", default: true })
      .exactOptional(),
  },
  "{ stages }",
);

/** A method with its own configuration; a plugin checks its own. */
type Configured =
  | { method: "string_match" }
  | { method: "external"; config: ExternalConfig }
  | { method: "semantic"; config: SemanticConfig }
  | { method: "multi_stage"; config: MultiStageConfig }
  | { method: "plugin"; plugin: string; config: Record<string, unknown> };

const PLUGIN = "plugin:";

/** Reads the configuration that a method was given. It was found to fit when the criteria were read. */
export function configured(given: string | undefined, config: Record<string, unknown> = {}): Configured {
  const method = given ?? impliedMethod(config) ?? "string_match";
  if (method === "external") return { method, config: externalConfig.parse(config) };
  if (method === "semantic") return { method, config: semanticConfig.parse(config) };
  if (method === "multi_stage") return { method, config: multiStageConfig.parse(config) };
  if (method.startsWith(PLUGIN)) return { method: "plugin", plugin: method.slice(PLUGIN.length), config };
  return { method: "string_match" };
}

const noConfig = strict({}, "nothing: the promise alone decides");
/** The configuration that each method wants. */
export const CONFIGS: Record<string, z.ZodObject> = {
  external: externalConfig,
  semantic: semanticConfig,
  multi_stage: multiStageConfig,
  string_match: noConfig,
};

/** What makes a fresh checkout ready. */
export const setUpShape = {
  setup: command
    .describe("Makes a fresh checkout ready; the one that fits its lockfile when left out.")
    .exactOptional(),
  cached: listSchema(text, "folders")
    .describe("Folders that the set-up makes, kept under the lockfile's hash.")
    .exactOptional(),
  timeout: secondsSchema
    .meta({ description: "Seconds the set-up may take.", default: DEFAULT_SETUP_TIMEOUT_S })
    .exactOptional(),
};

const cleanRoom = strict(setUpShape, "true, false or { setup, cached }");

/** What criteria can say, wherever they stand. */
const criteriaShape = {
  description: exactText.describe("What success means, for people and for the agent.").exactOptional(),
  verification_method: method.describe(`How a claim is verified: ${METHOD_WORDS}.`).exactOptional(),
  verification_config: anyConfig
    .describe("What that method needs to know, or the parameters of the template.")
    .exactOptional(),
  verification_template: text.describe("The name of a template instead of a method.").exactOptional(),
  timeout: secondsSchema.describe("Seconds the method may take, where its config does not say.").exactOptional(),
  verify_promises: flag
    .meta({ description: "False: no method runs, and the promise alone asks for the end.", default: true })
    .exactOptional(),
  judge: judge.describe("Who judges what no command can, where a stage does not say.").exactOptional(),
  baseline: flag.meta({ description: "Run the checks once before any work.", default: true }).exactOptional(),
  require_red_first: flag
    .meta({ description: "Refuse to begin where the checks pass already.", default: false })
    .exactOptional(),
  missing_ok: flag
    .meta({
      description: "What a check's own command names may be absent before the work: it fails then.",
      default: false,
    })
    .exactOptional(),
  protect: listSchema(text, "globs").describe("Files that must not change while the loop runs.").exactOptional(),
  allow_test_changes: flag
    .meta({ description: "Existing tests may be deleted, skipped and weakened.", default: false })
    .exactOptional(),
  zero_work_guard: flag
    .meta({
      description: "Refuse a claim where no tool was used and nothing was changed (not for reviewer, tester and qa).",
      default: true,
    })
    .exactOptional(),
  nonce: flag.meta({ description: "A fresh token in the promise of every iteration.", default: false }).exactOptional(),
  strict: flag
    .meta({ description: "The promise has to stand alone on its line, in exact case.", default: false })
    .exactOptional(),
  clean_room: z
    .union([z.boolean(), cleanRoom], expected("true, false or { setup, cached }"))
    .meta({ description: "Run the checks on the commit, in a fresh checkout elsewhere.", default: false })
    .exactOptional(),
  cache: flag
    .meta({ description: "Take over results within an iteration where nothing changed.", default: true })
    .exactOptional(),
  max_parallel: countSchema.meta({ description: "Checks that run at once.", default: 4 }).exactOptional(),
};

const criteriaObject = strict(criteriaShape, "criteria");

const criterion = strict(
  {
    text: exactText.describe("The criterion, in words."),
    check: command.describe("A shell command that exits 0 when it holds.").exactOptional(),
  },
  "text, or { text, check }",
);
const acceptance = listSchema(z.union([exactText, criterion], expected("text, or { text, check }")), "criteria");

const configFits = (given: z.infer<typeof criteriaObject>, context: Context) =>
  checkConfig(
    { method: given.verification_method, config: given.verification_config, template: given.verification_template },
    { keys: CRITERIA_KEYS, configs: CONFIGS },
    context,
  );

const promise = text.describe("The text of the completion tag.");

/** What done means for one agent's part of a task. */
export const completionCriteria = strict(
  {
    promise,
    ...criteriaShape,
    max_iterations: countSchema.nullable().describe("Iterations after which its loop stops.").exactOptional(),
  },
  "{ promise, description, verification_method }",
).superRefine(configFits);
export type CompletionCriteria = z.infer<typeof completionCriteria>;

/** What done means for a task. */
export const taskCompletionSpec = strict(
  {
    outcome: exactText.describe("What is the case when the task is done, in one sentence."),
    acceptance_criteria: acceptance.describe("What has to hold, each with a check of its own where there is one."),
    coder: completionCriteria.nullable().exactOptional(),
    reviewer: completionCriteria.nullable().exactOptional(),
    tester: completionCriteria.nullable().exactOptional(),
    qa: completionCriteria.nullable().exactOptional(),
  },
  "{ outcome, acceptance_criteria }",
);
export type TaskCompletionSpec = z.infer<typeof taskCompletionSpec>;

/** The completion of a loop without a task: criteria and what they are about. */
export const completion = strict(
  {
    promise: promise.exactOptional(),
    outcome: exactText.describe("What is the case when the work is done, in one sentence.").exactOptional(),
    acceptance_criteria: acceptance
      .describe("What has to hold, each with a check of its own where there is one.")
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

/** Every key that criteria have of ours, to tell them from those that are a person's own. */
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
