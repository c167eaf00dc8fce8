import { agentSpec } from "../agent-spec.ts";
import { RalphError } from "../errors.ts";
import {
  type AcceptanceCriterion,
  type Completion,
  configured,
  type ExternalConfig,
  type JudgeConfig,
  type SemanticConfig,
  type StageConfig,
} from "../schema/criteria.ts";
import { commandName, commandStage, PLAIN_STAGE, plainCommand, uniquelyNamed } from "./commands.ts";
import { type External, type JudgeSpec, NO_PROOF, type Proof, type Stage } from "./proof.ts";

/** What criteria leave to their surroundings. */
export interface ProofContext {
  /** Commands beside the criteria that have to exit 0. */
  verify: readonly string[];
  checkTimeoutS: number | undefined;
  /** Fields of the task that texts may name, as in `{{title}}`. */
  fields: Readonly<Record<string, string>>;
}

const DEFAULT_JUDGE_TIMEOUT_S = 300;
const DEFAULT_PLUGIN_TIMEOUT_S = 300;
const DEFAULT_SETUP_TIMEOUT_S = 600;

/** Everything that has to hold for a claim to count, decided once and for all. */
export function resolveProof(completion: Completion, context: ProofContext): Proof {
  const criteria = completion.acceptance_criteria ?? [];
  const acceptance = criteria.map((item) => (typeof item === "string" ? item : item.text));
  const plain = { cache: completion.cache ?? PLAIN_STAGE.cache, env: fieldVariables(context.fields) };
  const stages = [
    ...context.verify.map((command) => ({ ...commandStage(command, context.checkTimeoutS), ...plain })),
    ...methodStages(completion, { ...context, completion, acceptance }),
    ...criteria.flatMap((item) => criterionStage(item, context.checkTimeoutS)).map((stage) => ({ ...stage, ...plain })),
  ];
  return {
    ...NO_PROOF,
    outcome: completion.outcome ?? completion.description ?? "",
    acceptance,
    stages: uniquelyNamed(stages),
    baseline: completion.baseline ?? NO_PROOF.baseline,
    requireRedFirst: completion.require_red_first ?? NO_PROOF.requireRedFirst,
    zeroWorkGuard: completion.zero_work_guard ?? NO_PROOF.zeroWorkGuard,
    nonce: completion.nonce ?? NO_PROOF.nonce,
    cleanRoom: cleanRoomOf(completion.clean_room),
    maxParallel: completion.max_parallel ?? NO_PROOF.maxParallel,
    protect: [...(completion.protect ?? []), ...protectedBy(completion)],
    testsMayChange: completion.allow_test_changes ?? NO_PROOF.testsMayChange,
  };
}

interface Resolving extends ProofContext {
  completion: Completion;
  acceptance: readonly string[];
}

/** Criteria without a method are judged one by one, unless each of them has a check of its own. */
function methodStages(completion: Completion, resolving: Resolving): Stage[] {
  const { verification_method, verification_config } = completion;
  const unchecked = (completion.acceptance_criteria ?? []).flatMap((item) =>
    typeof item === "string" ? [item] : item.check === undefined ? [item.text] : [],
  );
  if (verification_method !== undefined) {
    return [
      stageOf(
        { method: verification_method, ...(verification_config ? { config: verification_config } : {}) },
        "",
        resolving,
      ),
    ];
  }
  return unchecked.length > 0
    ? [stageOf({ name: "acceptance criteria", method: "semantic", config: { check_for: unchecked } }, "", resolving)]
    : [];
}

function criterionStage(item: AcceptanceCriterion, timeoutS: number | undefined): Stage[] {
  if (typeof item === "string" || item.check === undefined) return [];
  return [{ ...commandStage(item.check, timeoutS), parallel: true, criterion: item.text }];
}

function stageOf(stage: StageConfig, above: string, resolving: Resolving): Stage {
  const name = stage.name === undefined ? "" : `${above}${stage.name}`;
  const common = {
    ...PLAIN_STAGE,
    required: stage.required ?? true,
    parallel: stage.parallel ?? false,
    cache: stage.cache ?? resolving.completion.cache ?? true,
    requireRedFirst: stage.require_red_first ?? false,
  };
  const given = configured(stage.method ?? "string_match", stage.config);
  switch (given.method) {
    case "external": {
      const external = externalOf(given.config, resolving);
      return { ...common, name: name || commandName(external.command), method: "external", ...external };
    }
    case "semantic":
      return { ...common, name: name || "semantic", method: "semantic", ...semanticOf(given.config, resolving) };
    case "plugin": {
      const { plugin, config } = given;
      const timeoutMs = DEFAULT_PLUGIN_TIMEOUT_S * 1_000;
      return { ...common, name: name || plugin, method: "plugin", plugin, config, timeoutMs };
    }
    case "multi_stage": {
      const inner = given.config.stages.map((one) =>
        stageOf({ ...one, name: one.name ?? "unnamed" }, name ? `${name}/` : "", resolving),
      );
      const requireAll = given.config.require_all ?? true;
      return { ...common, name: name || "stages", method: "multi_stage", stages: inner, requireAll };
    }
    case "string_match":
      return { ...common, name: name || "string_match", method: "string_match" };
  }
}

function externalOf(config: ExternalConfig, { checkTimeoutS, fields }: Resolving): External {
  if (PLACEHOLDER.test(config.command)) {
    throw new RalphError("unsafe-command", `a command cannot hold {{…}}: ${commandName(config.command)}`, {
      hint: 'the fields of a task are in its environment: "$RALPH_TITLE", "$RALPH_OUTCOME"',
    });
  }
  return {
    ...plainCommand(config.command, config.timeout ?? checkTimeoutS),
    successExitCode: config.success_exit_code ?? 0,
    outputContains: listed(config.output_contains),
    outputNotContains: listed(config.output_not_contains),
    workingDir: insideOnly(config.working_dir ?? "."),
    env: { ...fieldVariables(fields), ...config.env },
  };
}

/** The fields of a task as environment variables: `title` is RALPH_TITLE. */
const fieldVariables = (fields: ProofContext["fields"]): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`RALPH_${name.toUpperCase()}`, value]));

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
    onError: config.on_error ?? ("string_match" as const),
    timeoutMs: (config.timeout ?? DEFAULT_JUDGE_TIMEOUT_S) * 1_000,
  };
}

const KEY_VARIABLES = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" };

function judgeOf({ agent, provider, base_url, api_key_env, model }: JudgeConfig): JudgeSpec {
  if (provider === undefined) return { by: "agent", agent: agent ? agentSpec(agent) : null, model: model ?? null };
  if (model === undefined) {
    throw new RalphError("judge-model", `the judge of ${provider} needs a model`, {
      hint: 'name it: {"judge": {"provider": "anthropic", "model": "claude-haiku-4-5"}}',
    });
  }
  const keyVariable = api_key_env ?? KEY_VARIABLES[provider];
  return { by: "http", dialect: provider, baseUrl: base_url ?? null, model, keyVariable };
}

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}/g;

/** A text with the fields of the task in it; one that is nothing but the acceptance criteria becomes all of them. */
function filled(text: string, { acceptance, fields }: Resolving): string[] {
  if (/^\{\{\s*acceptance_criteria\s*\}\}$/.test(text.trim())) return [...acceptance];
  return [
    text.replace(PLACEHOLDER, (_, name: string) => {
      const value = name === "acceptance_criteria" ? acceptance.join("; ") : fields[name];
      if (value !== undefined) return value;
      throw new RalphError("unknown-field", `there is no field {{${name}}}`, {
        hint: `known are ${["acceptance_criteria", ...Object.keys(fields)].join(", ")}`,
      });
    }),
  ];
}

const listed = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? [given] : given;

function cleanRoomOf(given: Completion["clean_room"]): Proof["cleanRoom"] {
  if (given === undefined || given === false) return null;
  const { setup = null, cached = [], timeout = DEFAULT_SETUP_TIMEOUT_S } = given === true ? {} : given;
  return { setup, cached, timeoutMs: timeout * 1_000 };
}

/** What single stages protect, they protect for the whole loop. */
const protectedBy = ({ verification_method = "", verification_config }: Completion): string[] =>
  stagesProtect({ method: verification_method, ...(verification_config ? { config: verification_config } : {}) });

function stagesProtect(stage: StageConfig): string[] {
  const given = configured(stage.method ?? "string_match", stage.config);
  const inner = given.method === "multi_stage" ? given.config.stages.flatMap(stagesProtect) : [];
  return [...(stage.protect ?? []), ...inner];
}
