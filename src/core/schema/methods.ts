import * as z from "zod";
import { PLUGIN_PREFIX } from "../proof/proof.ts";
import { agent } from "./agent.ts";
import { command, flag, listSchema, oneOf, secondsSchema, text } from "./atoms.ts";
import { checkConfig, impliedMethod, type MethodConfig, STAGE_KEYS } from "./config-check.ts";
import { expected, strict } from "./messages.ts";

/** The built-in methods; `plugin:<name>` adds more. */
export const METHODS = ["string_match", "semantic", "external", "multi_stage"] as const;
type BuiltInMethod = (typeof METHODS)[number];
export const METHOD_WORDS = `one of ${METHODS.join(", ")}, or ${PLUGIN_PREFIX}<name>`;
/** The name of a method. */
export const method = z
  .string(expected(METHOD_WORDS))
  .regex(new RegExp(`^(${METHODS.join("|")}|${PLUGIN_PREFIX}\\S+)$`), expected(METHOD_WORDS));

/** Text that is searched for unchanged: a leading space may distinguish " 0 failed" from "10 failed". */
export const exactText = z.string(expected("text")).regex(/\S/, expected("text that is not empty"));
const texts = (what: string) =>
  z.union(
    [exactText, listSchema(exactText, what).min(1, expected(`at least one of the ${what}`))],
    expected(`text, or a list of ${what}`),
  );

export const judgeSchema = strict(
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
    timeout: secondsSchema.describe("Seconds it may take; checkTimeout by default.").exactOptional(),
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
    judge: judgeSchema.describe("Who judges; the loop's own agent by default.").exactOptional(),
    on_error: oneOf(["string_match", "unknown"])
      .meta({
        description: "The result if the judge cannot be reached: unknown, or the promise alone decides.",
        default: "unknown",
      })
      .exactOptional(),
    timeout: secondsSchema.describe("Seconds the judge may take.").exactOptional(),
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
  timeout: secondsSchema.describe("Seconds it may take, unless its config sets a timeout.").exactOptional(),
  required: flag.meta({ description: "False: it only warns.", default: true }).exactOptional(),
  parallel: flag.meta({ description: "Run together with adjacent parallel stages.", default: false }).exactOptional(),
  cache: flag.meta({ description: "Its result may be reused while nothing changes.", default: true }).exactOptional(),
  protect: listSchema(text, "globs").describe("Files that must not change while the loop runs.").exactOptional(),
  require_red_first: flag
    .meta({ description: "It must fail before the work is done.", default: false })
    .exactOptional(),
};

const stage = strict(stageShape, "{ name, method, config }").superRefine(({ method, config, template }, context) =>
  checkConfig({ method, config, template }, { keys: STAGE_KEYS, methods: METHOD_CONFIGS }, context),
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

/** A method with its configuration; a plugin validates its own. */
export type Configured =
  | { method: "string_match" }
  | { method: "external"; config: ExternalConfig }
  | { method: "semantic"; config: SemanticConfig }
  | { method: "multi_stage"; config: MultiStageConfig }
  | { method: "plugin"; plugin: string; config: Record<string, unknown> };

/** Parses a method's configuration, which was validated with the criteria. */
export function configured(given: string | undefined, config: Record<string, unknown> = {}): Configured {
  const name = given ?? impliedMethod(config, METHOD_CONFIGS) ?? "string_match";
  if (name.startsWith(PLUGIN_PREFIX)) return { method: "plugin", plugin: name.slice(PLUGIN_PREFIX.length), config };
  return (builtIn(name) ?? METHOD_CONFIGS.string_match).parse(config);
}

interface BuiltIn extends MethodConfig {
  parse(config: Record<string, unknown>): Configured;
  overrides: readonly string[];
}

/** The configuration of each built-in method. */
export const METHOD_CONFIGS: Readonly<Record<BuiltInMethod, BuiltIn>> = {
  external: {
    schema: externalConfig,
    impliedBy: ["command"],
    overrides: Object.keys(externalConfig.shape).filter((key) => key !== "command"),
    parse: (config) => ({ method: "external", config: externalConfig.parse(config) }),
  },
  semantic: {
    schema: semanticConfig,
    impliedBy: ["check_for", "negative_patterns"],
    overrides: [],
    parse: (config) => ({ method: "semantic", config: semanticConfig.parse(config) }),
  },
  multi_stage: {
    schema: multiStageConfig,
    impliedBy: ["stages"],
    overrides: [],
    parse: (config) => ({ method: "multi_stage", config: multiStageConfig.parse(config) }),
  },
  string_match: {
    schema: strict({}, "nothing: the promise alone decides"),
    impliedBy: [],
    overrides: [],
    parse: () => ({ method: "string_match" }),
  },
};

const builtIn = (name: string): BuiltIn | undefined =>
  new Map<string, BuiltIn>(Object.entries(METHOD_CONFIGS)).get(name);

/** The keys of a method's configuration that a template's user may set beside its parameters. */
export const overridesOf = (method: string): readonly string[] => builtIn(method)?.overrides ?? [];

/** The keys of every method's configuration, including nested ones. */
export const CONFIG_KEYS: readonly string[] = [
  judgeSchema,
  stage,
  ...Object.values(METHOD_CONFIGS).map((one) => one.schema),
].flatMap(({ shape }) => Object.keys(shape));

export type ExternalConfig = z.infer<typeof externalConfig>;
type SemanticConfig = z.infer<typeof semanticConfig>;
type MultiStageConfig = z.infer<typeof multiStageConfig>;
export type StageConfig = z.infer<typeof stage>;
export type JudgeConfig = z.infer<typeof judgeSchema>;
