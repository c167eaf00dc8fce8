import { agentSpec } from "../agent-spec.ts";
import { RalphError } from "../errors.ts";
import {
  type Completion,
  configured,
  type ExternalConfig,
  type JudgeConfig,
  type SemanticConfig,
  type StageConfig,
} from "../schema/criteria.ts";
import type { AgentRole } from "../task/role.ts";
import { commandName, externalCheck, PLAIN_STAGE } from "./commands.ts";
import { FIELDS, PLACEHOLDER, placeholdersIn } from "./fields.ts";
import type { External, JudgeSpec, Stage } from "./proof.ts";

/** What criteria leave to their surroundings. */
export interface ProofContext {
  /** Commands beside the criteria that have to exit 0. */
  verify: readonly string[];
  checkTimeoutS: number | undefined;
  /** Fields of the task that texts may name, as in `{{title}}`. */
  fields: Readonly<Record<string, string>>;
  /** Whose part of a task it is: each has rules of its own. */
  role?: AgentRole;
}

/** A context with the criteria in it that are being resolved. */
export interface Resolving extends ProofContext {
  completion: Completion;
  /** The criteria that `{{acceptance_criteria}}` stands for. */
  acceptance: readonly string[];
}

const DEFAULT_JUDGE_TIMEOUT_S = 300;
const DEFAULT_PLUGIN_TIMEOUT_S = 300;

/** A stage of the documents with everything decided that it leaves open. */
export function stageOf(stage: StageConfig, above: string, resolving: Resolving): Stage {
  // Taken for a stage without a method it would be none at all.
  if (stage.template !== undefined) throw new Error(`the template ${stage.template} was not filled in`);
  const name = stage.name === undefined ? "" : `${above}${stage.name}`;
  const common = {
    ...PLAIN_STAGE,
    required: stage.required ?? true,
    parallel: stage.parallel ?? false,
    cache: stage.cache ?? resolving.completion.cache ?? true,
    requireRedFirst: stage.require_red_first ?? false,
  };
  const given = configured(stage.method, stage.config);
  switch (given.method) {
    case "external": {
      const external = externalOf(withTimeout(given.config, stage.timeout), resolving);
      return { ...common, name: name || commandName(external.command), method: "external", ...external };
    }
    case "semantic":
      return {
        ...common,
        name: name || "semantic",
        method: "semantic",
        ...semanticOf(withTimeout(given.config, stage.timeout), resolving),
      };
    case "plugin": {
      const { plugin, config } = given;
      const timeoutMs = (stage.timeout ?? DEFAULT_PLUGIN_TIMEOUT_S) * 1_000;
      return { ...common, name: name || plugin, method: "plugin", plugin, config, timeoutMs };
    }
    case "multi_stage": {
      const inner = innerStages(stage, given.config.stages).map((one) =>
        stageOf(one, name ? `${name}/` : "", resolving),
      );
      const requireAll = given.config.require_all ?? true;
      return { ...common, name: name || "stages", method: "multi_stage", stages: inner, requireAll };
    }
    case "string_match":
      return { ...common, name: name || "string_match", method: "string_match" };
  }
}

/** What a group says of its stages goes for each that does not say it itself. */
const innerStages = ({ cache, timeout }: StageConfig, stages: readonly StageConfig[]): StageConfig[] =>
  stages.map((one) => {
    const named = { ...(cache === undefined ? {} : { cache }), ...one, name: one.name ?? "unnamed" };
    return withTimeout(named, timeout);
  });

const withTimeout = <Config extends { timeout?: number }>(config: Config, timeout: number | undefined): Config =>
  timeout === undefined ? config : { timeout, ...config };

/** The command of a stage, in the surroundings of its task. */
export function externalOf(config: ExternalConfig, { checkTimeoutS, fields }: Resolving): External {
  const field = placeholdersIn(config.command).find((name) => FIELDS.has(name) || Object.hasOwn(fields, name));
  if (field !== undefined) {
    throw new RalphError("unsafe-command", `a command cannot hold {{${field}}}: ${commandName(config.command)}`, {
      hint: `it is in the command's environment: "$${fieldVariable(field)}"`,
    });
  }
  return {
    ...externalCheck(config.command, config.timeout ?? checkTimeoutS),
    successExitCode: config.success_exit_code ?? 0,
    outputContains: listed(config.output_contains),
    outputNotContains: listed(config.output_not_contains),
    workingDir: insideOnly(config.working_dir ?? "."),
    env: { ...fieldVariables(fields), ...config.env },
  };
}

/** The fields of a task as environment variables: `title` is RALPH_TITLE. */
export const fieldVariables = (fields: ProofContext["fields"]): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [fieldVariable(name), value]));

const fieldVariable = (name: string): string => `RALPH_${name.toUpperCase()}`;

/** Files elsewhere are not what the loop is about. Links are followed when the check runs. */
function insideOnly(folder: string): string {
  if (!folder.startsWith("/") && !folder.split(/[\\/]/).includes("..")) return folder;
  throw new RalphError("outside", `working_dir ${JSON.stringify(folder)} leads out of the loop's folder`, {
    hint: "name a folder inside it, such as packages/api",
  });
}

function semanticOf(config: SemanticConfig, resolving: Resolving) {
  const judge = judgeOf({
    ...resolving.completion.judge,
    ...config.judge,
    ...(config.model ? { model: config.model } : {}),
  });
  return {
    checkFor: listed(config.check_for).flatMap((item) => filled(item, resolving)),
    negativePatterns: listed(config.negative_patterns),
    judge,
    onError: config.on_error ?? ("unknown" as const),
    timeoutMs: (config.timeout ?? DEFAULT_JUDGE_TIMEOUT_S) * 1_000,
  };
}

const EXAMPLE_MODELS = { anthropic: "claude-haiku-4-5", openai: "gpt-5.4-mini" };
const KEY_VARIABLES = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" };

function judgeOf({ agent, provider, base_url, api_key_env, model }: JudgeConfig): JudgeSpec {
  if (provider === undefined) return { by: "agent", agent: agent ? agentSpec(agent) : null, model: model ?? null };
  if (model === undefined) {
    throw new RalphError("judge-model", `the judge of ${provider} needs a model`, {
      hint: `name it beside the provider: {"judge": {"provider": "${provider}", "model": "${EXAMPLE_MODELS[provider]}"}}`,
    });
  }
  const keyVariable = api_key_env ?? KEY_VARIABLES[provider];
  return { by: "http", dialect: provider, baseUrl: base_url ?? null, model, keyVariable };
}

/** A text with the fields of the task in it; one that is nothing but the acceptance criteria becomes all of them. */
function filled(text: string, { acceptance, fields }: Resolving): string[] {
  if (/^\{\{\s*acceptance_criteria\s*\}\}$/.test(text.trim())) return [...acceptance];
  return [
    text.replace(PLACEHOLDER, (_, name: string) => {
      const value = name === "acceptance_criteria" ? acceptance.join("; ") : ownField(fields, name);
      if (value !== undefined) return value;
      throw new RalphError("unknown-field", `there is no field {{${name}}}`, {
        hint: `known are ${Object.keys(fields).join(", ")}`,
      });
    }),
  ];
}

const ownField = (fields: ProofContext["fields"], name: string): string | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

const listed = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? [given] : given;
