import { agentSpec } from "../agent-spec.ts";
import { RalphError } from "../errors.ts";
import {
  type AcceptanceCriterion,
  type AgentRole,
  type Completion,
  configured,
  type ExternalConfig,
  type JudgeConfig,
  type SemanticConfig,
  type StageConfig,
} from "../schema/criteria.ts";
import { redFirst } from "./baseline.ts";
import { commandName, commandStage, PLAIN_STAGE, plainCommand, uniquelyNamed } from "./commands.ts";
import { FIELDS, namedIn, PLACEHOLDER } from "./fields.ts";
import { type External, type JudgeSpec, leavesOf, NO_PROOF, type Proof, type Rule, type Stage } from "./proof.ts";

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

const DEFAULT_JUDGE_TIMEOUT_S = 300;
const DEFAULT_PLUGIN_TIMEOUT_S = 300;
const DEFAULT_SETUP_TIMEOUT_S = 600;

/** Everything that has to hold for a claim to count, decided once and for all. */
export function resolveProof(completion: Completion, context: ProofContext): Proof {
  const { verify, checkTimeoutS, role } = context;
  const acceptance = (completion.acceptance_criteria ?? []).map(criterionText);
  const verified = completion.verify_promises ?? true;
  const resolving = resolvingOf(completion, context);
  // Told of the task what the criteria's own checks are told: equal commands then are equal runs.
  const plain = { cache: completion.cache ?? PLAIN_STAGE.cache, env: fieldVariables(resolving.fields) };
  const stages = [
    ...verify.map((command) => ({ ...commandStage(command, checkTimeoutS), ...plain })),
    ...(verified ? criteriaStages(completion, resolving) : []),
  ];
  const proof: Proof = {
    ...NO_PROOF,
    outcome: completion.outcome ?? completion.description ?? "",
    acceptance,
    stages: uniquelyNamed(stages),
    rules: verified ? rulesFor(role, stages) : [],
    baseline: completion.baseline ?? NO_PROOF.baseline,
    requireRedFirst: completion.require_red_first ?? NO_PROOF.requireRedFirst,
    zeroWorkGuard: completion.zero_work_guard ?? role === "coder",
    nonce: completion.nonce ?? NO_PROOF.nonce,
    cleanRoom: cleanRoomOf(completion.clean_room),
    maxParallel: completion.max_parallel ?? NO_PROOF.maxParallel,
    protect: [...(completion.protect ?? []), ...protectedBy(completion)],
    testsMayChange: completion.allow_test_changes ?? role === "tester",
  };
  checkRedFirst(proof);
  return proof;
}

/** Without the run before any work nobody would ever see red, and what was asked for would be dropped in silence. */
function checkRedFirst(proof: Proof): void {
  const asked = proof.requireRedFirst || redFirst(proof.stages).length > 0;
  if (!asked || proof.baseline) return;
  throw new RalphError("red-first", "require_red_first needs the baseline, and baseline is false", {
    hint: "leave out one of them: whether a check fails before any work is seen in the baseline only",
  });
}

const criterionText = (item: AcceptanceCriterion): string => (typeof item === "string" ? item : item.text);

/** What the harness knows by itself about each agent's work. Without any command no rule can ask for one that passes. */
function rulesFor(role: AgentRole | undefined, stages: readonly Stage[]): Rule[] {
  if (role === "coder") return ["new-commit"];
  const hasCommand = leavesOf(stages).some(({ method }) => method === "external");
  return role === "tester" && hasCommand ? ["command-passed"] : [];
}

interface Resolving extends ProofContext {
  completion: Completion;
  /** The criteria that `{{acceptance_criteria}}` stands for. */
  acceptance: readonly string[];
}

const isUnchecked = (item: AcceptanceCriterion): boolean => typeof item === "string" || item.check === undefined;

function resolvingOf(completion: Completion, context: ProofContext): Resolving {
  const criteria = completion.acceptance_criteria ?? [];
  // Those with a check of their own are proved by it, and need no judge.
  const judged = criteria.some(isUnchecked) ? criteria.filter(isUnchecked) : criteria;
  const acceptance = judged.map(criterionText);
  const fields = { acceptance_criteria: criteria.map(criterionText).join("\n"), ...context.fields };
  return { ...context, fields, completion, acceptance };
}

function criteriaStages(completion: Completion, resolving: Resolving): Stage[] {
  const criteria = completion.acceptance_criteria ?? [];
  return [
    ...criteria.flatMap((item) => criterionStage(item, resolving)),
    // After the commands: what they show is evidence for a judge.
    ...(hasMethod(completion) ? [stageOf(methodStage(completion), "", resolving)] : []),
    ...(!hasMethod(completion) && criteria.some(isUnchecked) ? [stageOf(ACCEPTANCE_STAGE, "", resolving)] : []),
  ];
}

const hasMethod = ({ verification_method, verification_config, verification_template }: Completion): boolean =>
  (verification_method ?? verification_template) !== undefined || Object.keys(verification_config ?? {}).length > 0;

/** The method of criteria as the one stage that it is. */
export const methodStage = (criteria: Completion): StageConfig => ({
  ...(criteria.verification_method === undefined ? {} : { method: criteria.verification_method }),
  ...(criteria.verification_config === undefined ? {} : { config: criteria.verification_config }),
  ...(criteria.verification_template === undefined ? {} : { template: criteria.verification_template }),
  ...(criteria.timeout === undefined ? {} : { timeout: criteria.timeout }),
});

/** Criteria without a method are judged one by one. */
const ACCEPTANCE_STAGE: StageConfig = {
  name: "acceptance criteria",
  method: "semantic",
  config: { check_for: "{{acceptance_criteria}}" },
};

function criterionStage(item: AcceptanceCriterion, resolving: Resolving): Stage[] {
  if (typeof item === "string" || item.check === undefined) return [];
  const external = externalOf({ command: item.check }, resolving);
  const cache = resolving.completion.cache ?? PLAIN_STAGE.cache;
  return [{ ...commandStage(item.check), ...external, cache, parallel: true, criterion: item.text }];
}

function stageOf(stage: StageConfig, above: string, resolving: Resolving): Stage {
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

function externalOf(config: ExternalConfig, { checkTimeoutS, fields }: Resolving): External {
  const field = namedIn(config.command).find((name) => FIELDS.has(name) || Object.hasOwn(fields, name));
  if (field !== undefined) {
    throw new RalphError("unsafe-command", `a command cannot hold {{${field}}}: ${commandName(config.command)}`, {
      hint: `it is in the command's environment: "$${fieldVariable(field)}"`,
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
    onError: config.on_error ?? ("string_match" as const),
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

function cleanRoomOf(given: Completion["clean_room"]): Proof["cleanRoom"] {
  if (given === undefined || given === false) return null;
  const { setup = null, cached = [], timeout = DEFAULT_SETUP_TIMEOUT_S } = given === true ? {} : given;
  return { setup, cached, timeoutMs: timeout * 1_000 };
}

/** What single stages protect, they protect for the whole loop. */
const protectedBy = (completion: Completion): string[] => stagesProtect(methodStage(completion));

function stagesProtect(stage: StageConfig): string[] {
  const given = configured(stage.template === undefined ? stage.method : "string_match", stage.config);
  const inner = given.method === "multi_stage" ? given.config.stages.flatMap(stagesProtect) : [];
  return [...(stage.protect ?? []), ...inner];
}
