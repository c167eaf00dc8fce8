import { RalphError } from "../errors.ts";
import { type AcceptanceCriterion, type Completion, ORACLE_KEYS } from "../schema/criteria.ts";
import { configured, type StageConfig } from "../schema/methods.ts";
import { ROLES } from "../task/role.ts";
import { redFirst } from "./baseline.ts";
import { commandStage, commandsOf, externalOf, fieldVariables } from "./methods/external.ts";
import { type ProofContext, type Resolving, withTimeout } from "./methods/method.ts";
import { sealedStages } from "./methods/sealed.ts";
import { ACCEPTANCE_STAGE } from "./methods/semantic.ts";
import { methodOf } from "./methods.ts";
import { NO_PROOF, PLAIN_STAGE, type Proof, type Rule, type Stage, setUpFrom, uniquelyNamed } from "./proof.ts";

/** Everything a claim needs to count, with all defaults filled in. */
export function resolveProof(completion: Completion, context: ProofContext): Proof {
  const { verify, checkTimeoutS } = context;
  const role = context.role === undefined ? NO_ROLE : ROLES[context.role];
  const acceptance = (completion.acceptance_criteria ?? []).map(criterionText);
  const verified = completion.verify_promises ?? true;
  const resolving = resolvingOf(completion, context);
  // With the same task variables as the criteria's own checks, so that equal commands are equal runs.
  const plain = { cache: completion.cache ?? PLAIN_STAGE.cache, env: fieldVariables(resolving.fields) };
  const stages = [
    ...verify.map((command) => ({ ...commandStage(command, checkTimeoutS), ...plain })),
    ...(verified ? [...criteriaStages(completion, resolving), ...sealedStages(completion.sealed, checkTimeoutS)] : []),
  ];
  const proof: Proof = {
    ...NO_PROOF,
    outcome: completion.outcome ?? completion.description ?? "",
    acceptance,
    stages: uniquelyNamed(stages),
    rules: verified ? rulesOf(role.rule, stages) : [],
    baseline: completion.baseline ?? NO_PROOF.baseline,
    requireRedFirst: completion.require_red_first ?? NO_PROOF.requireRedFirst,
    missingOk: completion.missing_ok ?? NO_PROOF.missingOk,
    zeroWorkGuard: completion.zero_work_guard ?? role.implements,
    nonce: completion.nonce ?? NO_PROOF.nonce,
    maxParallel: completion.max_parallel ?? NO_PROOF.maxParallel,
    protect: [...(completion.protect ?? []), ...protectedBy(completion)],
    testsMayChange: completion.allow_test_changes ?? role.writesTests,
    ...oracleOf(completion),
  };
  checkRedFirst(proof);
  return proof;
}

/** Without the baseline a red check is never seen, and the setting would be silently ignored. */
function checkRedFirst(proof: Proof): void {
  const asked = proof.requireRedFirst || redFirst(proof.stages).length > 0;
  if (!asked || proof.baseline) return;
  throw new RalphError("red-first", "require_red_first needs the baseline, and baseline is false", {
    hint: "remove one of them: only the baseline shows whether a check fails before any work",
  });
}

const criterionText = (item: AcceptanceCriterion): string => (typeof item === "string" ? item : item.text);

/** A loop that is not part of a task does the work itself. */
const NO_ROLE = { implements: true, writesTests: false, rule: null };

/** Without any command, no rule can require one that passes. */
const rulesOf = (rule: Rule | null, stages: readonly Stage[]): Rule[] =>
  rule === null || (rule === "command-passed" && commandsOf(stages).length === 0) ? [] : [rule];

/** Whether a criterion lacks its own command. */
export const isUnchecked = (item: AcceptanceCriterion): boolean => typeof item === "string" || item.check === undefined;

function resolvingOf(completion: Completion, context: ProofContext): Resolving {
  const criteria = completion.acceptance_criteria ?? [];
  // Criteria with their own check are proved by it, and need no judge.
  const judged = criteria.some(isUnchecked) ? criteria.filter(isUnchecked) : criteria;
  const acceptance = judged.map(criterionText);
  const fields = { acceptance_criteria: criteria.map(criterionText).join("\n"), ...context.fields };
  return { ...context, fields, completion, acceptance };
}

function criteriaStages(completion: Completion, resolving: Resolving): Stage[] {
  const criteria = completion.acceptance_criteria ?? [];
  return [
    ...criteria.flatMap((item) => criterionStage(item, resolving)),
    // After the commands: their results are evidence for a judge.
    ...(hasMethod(completion) ? [stageOf(methodStage(completion), "", resolving)] : []),
    ...(!hasMethod(completion) && criteria.some(isUnchecked) ? [stageOf(ACCEPTANCE_STAGE, "", resolving)] : []),
  ];
}

const hasMethod = ({ verification_method, verification_config, verification_template }: Completion): boolean =>
  (verification_method ?? verification_template) !== undefined || Object.keys(verification_config ?? {}).length > 0;

/** The method of criteria as a single stage. */
export const methodStage = (criteria: Completion): StageConfig => ({
  ...(criteria.verification_method === undefined ? {} : { method: criteria.verification_method }),
  ...(criteria.verification_config === undefined ? {} : { config: criteria.verification_config }),
  ...(criteria.verification_template === undefined ? {} : { template: criteria.verification_template }),
  ...(criteria.timeout === undefined ? {} : { timeout: criteria.timeout }),
});

/** A stage of the criteria with its defaults filled in. */
function stageOf(stage: StageConfig, above: string, resolving: Resolving): Stage {
  // Without this error the stage would be silently ignored.
  if (stage.template !== undefined) throw new Error(`the template ${stage.template} was not filled in`);
  const name = stage.name === undefined ? "" : `${above}${stage.name}`;
  const common = {
    ...PLAIN_STAGE,
    name,
    required: stage.required ?? true,
    parallel: stage.parallel ?? false,
    cache: stage.cache ?? resolving.completion.cache ?? true,
    requireRedFirst: stage.require_red_first ?? false,
  };
  const given = configured(stage.method, stage.config);
  if (given.method === "multi_stage") {
    const inner = innerStages(stage, given.config.stages).map((one) => stageOf(one, name ? `${name}/` : "", resolving));
    const requireAll = given.config.require_all ?? true;
    return { ...common, name: name || "stages", method: given.method, stages: inner, requireAll };
  }
  return methodOf(given).resolve(given, { common, timeoutS: stage.timeout, resolving });
}

/** Settings of a group apply to each of its stages that does not override them. */
const innerStages = ({ cache, timeout }: StageConfig, stages: readonly StageConfig[]): StageConfig[] =>
  stages.map((one) => {
    const named = { ...(cache === undefined ? {} : { cache }), ...one, name: one.name ?? "unnamed" };
    return withTimeout(named, timeout);
  });

function criterionStage(item: AcceptanceCriterion, resolving: Resolving): Stage[] {
  if (typeof item === "string" || item.check === undefined) return [];
  const external = externalOf({ command: item.check }, resolving);
  const cache = resolving.completion.cache ?? PLAIN_STAGE.cache;
  return [{ ...commandStage(item.check), ...external, cache, parallel: true, criterion: item.text }];
}

type OracleKeys = Pick<Completion, (typeof ORACLE_KEYS)[number]>;

/** The part of a proof that keeps the oracle out of the agent's reach. */
export const oracleOf = (given: OracleKeys): Pick<Proof, "scope" | "cleanRoom" | "differential" | "services"> => ({
  scope: given.scope ?? NO_PROOF.scope,
  cleanRoom: cleanRoomOf(given.clean_room),
  differential: given.differential ?? NO_PROOF.differential,
  services: given.services ?? NO_PROOF.services,
});

/** The oracle keys of several criteria; the first that has a key wins. */
export function oracleKeys(...given: readonly (OracleKeys | null | undefined)[]): OracleKeys {
  const found = ORACLE_KEYS.flatMap((key) => {
    const from = given.find((one) => one?.[key] !== undefined);
    return from ? [[key, from[key]]] : [];
  });
  return Object.fromEntries(found);
}

function cleanRoomOf(given: Completion["clean_room"]): Proof["cleanRoom"] {
  if (given === undefined || given === false) return null;
  const { mode = "commit", ...setUp } = given === true ? {} : given === "oracle" ? { mode: given } : given;
  return { mode, ...setUpFrom(setUp) };
}

/** Files protected by single stages are protected for the whole loop. */
const protectedBy = (completion: Completion): string[] => stagesProtect(methodStage(completion));

function stagesProtect(stage: StageConfig): string[] {
  const given = stage.template === undefined ? configured(stage.method, stage.config) : null;
  const inner = given?.method === "multi_stage" ? given.config.stages.flatMap(stagesProtect) : [];
  return [...(stage.protect ?? []), ...inner];
}
