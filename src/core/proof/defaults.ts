import type { CompletionCriteria, TaskCompletionSpec } from "../schema/criteria.ts";
import type { RalphSettings } from "../schema/ralph.ts";
import { type AgentRole, ROLES } from "../task/role.ts";
import { commandConfig } from "./methods/external.ts";
import { ACCEPTANCE_STAGE } from "./methods/semantic.ts";
import { aloneConfig, methodNamed } from "./methods.ts";
import { isUnchecked, oracleKeys } from "./resolve.ts";

export interface CriteriaRequest {
  /** The task's criteria; null: it has none. */
  spec: TaskCompletionSpec | null;
  agent: AgentRole;
  /** The task's. */
  title: string;
  settings: RalphSettings;
  /** Commands that check the project, such as `verify` in the settings. */
  commands?: readonly string[];
}

/** Criteria with all defaults filled in, and their context. */
export type RoleCriteria = CompletionCriteria &
  Pick<TaskCompletionSpec, "acceptance_criteria"> & { outcome?: string; description: string; max_iterations: number };

export interface ChosenCriteria {
  criteria: RoleCriteria;
  /** Where the method came from. */
  from: "task" | "settings" | "defaults" | "acceptance criteria" | "promise";
  /** What the user should know about it. */
  warnings: readonly string[];
}

/** The criteria of one agent's part of a task: what the task says, then settings, then the defaults of the agent. */
export function criteriaFor(request: CriteriaRequest): ChosenCriteria {
  const { spec, agent, title, settings } = request;
  const own = spec?.[agent] ?? {};
  const role = settings[agent] ?? {};
  const otherwise = ROLES[agent];
  const { from, warnings, ...how } = howVerified(request);
  const criteria: RoleCriteria = {
    ...(settings.verify_promises === undefined ? {} : { verify_promises: settings.verify_promises }),
    ...own,
    ...oracleKeys(own, spec),
    ...how,
    promise: spec?.[agent]?.promise ?? role.completion_promise ?? otherwise.promise,
    description: spec?.[agent]?.description ?? `Complete ${agent} stage for: ${title}`,
    max_iterations:
      spec?.[agent]?.max_iterations ??
      role.max_iterations ??
      settings.default_max_iterations ??
      otherwise.maxIterations,
    acceptance_criteria: spec?.acceptance_criteria ?? [],
    ...(spec ? { outcome: spec.outcome } : {}),
  };
  return { criteria, from, warnings };
}

type How = Pick<CompletionCriteria, "verification_method" | "verification_config" | "verification_template"> &
  Pick<ChosenCriteria, "from" | "warnings">;

function howVerified(request: CriteriaRequest): How {
  const { spec, agent, title, settings } = request;
  const missing = spec ? [] : [`the task "${title}" has no completion spec`];
  const task = spec?.[agent];
  if (task && saysHow(task)) return { ...howOf(task), from: "task", warnings: [] };
  const role = settings[agent];
  if (role && saysHow(role)) return { ...howOf(role), from: "settings", warnings: missing };
  const general = settings.default_verification;
  if (general !== undefined && !needsConfig(general)) {
    return { ...plainMethod(general), from: "settings", warnings: missing };
  }
  const known = byCommands(general ?? ROLES[agent].method, request);
  if (known) return { ...known, from: "defaults", warnings: missing };
  if (spec && spec.acceptance_criteria.length > 0) {
    // Criteria with their own command are proved by it.
    const judged = spec.acceptance_criteria.some(isUnchecked);
    return { ...(judged ? plainMethod(ACCEPTANCE_STAGE.method) : {}), from: "acceptance criteria", warnings: [] };
  }
  const why = spec ? `the task "${title}" has no acceptance criteria` : missing.join("");
  return {
    verification_method: "string_match",
    from: "promise",
    // A reviewer's approval decides, too.
    warnings: ROLES[agent].rule === "approval" ? missing : [`${why}: the ${agent}'s promise alone decides`],
  };
}

type Saying = Pick<How, "verification_method" | "verification_config" | "verification_template">;

const saysHow = (given: Saying): boolean =>
  given.verification_method !== undefined ||
  given.verification_template !== undefined ||
  Object.keys(given.verification_config ?? {}).length > 0;

const howOf = ({ verification_method, verification_config, verification_template }: Saying): Saying => ({
  ...(verification_method === undefined ? {} : { verification_method }),
  ...(verification_config === undefined ? {} : { verification_config }),
  ...(verification_template === undefined ? {} : { verification_template }),
});

const plainMethod = (method: string): Saying => ({ verification_method: method, ...aloneConfig(method) });

/** Whether a method needs a command or stages. */
const needsConfig = (method: string): boolean => !methodNamed(method)?.configAlone;

/** A method of commands, if any are known. */
function byCommands(method: string, { spec, commands = [] }: CriteriaRequest): Saying | null {
  const [command, ...more] = commands;
  if (!needsConfig(method) || command === undefined) return null;
  const judged = method === "multi_stage" && spec !== null && spec.acceptance_criteria.some(isUnchecked);
  if (more.length === 0 && !judged) {
    const { method: verification_method, config } = commandConfig(command);
    return { verification_method, verification_config: config };
  }
  const stages = [
    ...commands.map((one) => ({ name: one, ...commandConfig(one) })),
    ...(judged ? [ACCEPTANCE_STAGE] : []),
  ];
  return { verification_method: "multi_stage", verification_config: { stages } };
}
