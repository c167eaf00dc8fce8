import type { Watched } from "../../../core/loop/spec.ts";
import { type CriteriaRequest, criteriaFor } from "../../../core/proof/defaults.ts";
import { type CommandLeaf, commandsOf, isCommand } from "../../../core/proof/methods/external.ts";
import { uniquelyNamed } from "../../../core/proof/proof.ts";
import { oracleKeys, resolveProof } from "../../../core/proof/resolve.ts";
import { expandTemplates } from "../../../core/proof/templates.ts";
import { fittingRalph, type RalphSettings } from "../../../core/schema/ralph.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { AGENT_ROLES, type AgentRole } from "../../../core/task/role.ts";
import type { Task } from "../../../core/task/task.ts";

/** The fields of a task that its proof depends on. */
export type ProvenTask = Pick<Task, "id" | "specId" | "title" | "description" | "completionSpec">;

export function stageProof(task: ProvenTask, place: AgentRole, settings: Settings) {
  const { criteria: chosen, warnings } = criteriaFor(criteriaRequest(task, place, settings));
  const { judge } = settings.completion ?? {};
  const criteria = expandTemplates(
    { ...(judge ? { judge } : {}), ...oracleKeys(settings.completion), ...chosen },
    settings.templates,
  );
  const proof = resolveProof(criteria, {
    // The criteria contain the commands if the stage is verified by commands.
    verify: [],
    checkTimeoutS: settings.checkTimeout,
    role: place,
    fields: {
      task_id: task.id,
      spec_id: task.specId,
      title: task.title,
      description: task.description,
      outcome: criteria.outcome ?? "",
    },
  });
  return { criteria, proof, warnings };
}

const criteriaRequest = (task: ProvenTask, agent: AgentRole, settings: Settings): CriteriaRequest => ({
  spec: task.completionSpec,
  agent,
  title: task.title,
  settings: ralphOf(settings),
  commands: settings.verify ?? [],
});

export const ralphOf = ({ ralph }: Settings): RalphSettings => (ralph ? fittingRalph(ralph) : {});

/** The stages of tasks, in order. */
export function stagesOf(settings: Settings): AgentRole[] {
  const wanted = settings.ralph?.stages ?? AGENT_ROLES;
  return AGENT_ROLES.filter((role) => wanted.includes(role));
}

/** What decides each of a task's stages, so that every loop protects all of it. */
export const watchedOf = (
  task: ProvenTask,
  settings: Settings,
  stages: readonly AgentRole[] = stagesOf(settings),
): Watched[] =>
  stages.map((place) => {
    const { stages: proofs, cleanRoom, protect } = stageProof(task, place, settings).proof;
    return { place, stages: proofs, cleanRoom, protect };
  });

/** The commands that a task must pass in any of its stages, each once. They also run before a merge. */
export function taskChecks(
  task: ProvenTask,
  settings: Settings,
  stages: readonly AgentRole[] = stagesOf(settings),
): CommandLeaf[] {
  const leaves = stages.flatMap((place) => commandsOf(stageProof(task, place, settings).proof.stages));
  const checks = new Map<string, CommandLeaf>();
  for (const leaf of leaves.filter(({ required }) => required)) {
    const same = sameAs(leaf, true);
    if (!checks.has(same)) checks.set(same, { ...leaf, criterion: null, requireRedFirst: false, cache: false });
  }
  return uniquelyNamed([...checks.values()]).filter(isCommand);
}

/** Equal for identical checks. `ofTask`: whether their task's variables count. */
export function sameAs(check: CommandLeaf, ofTask: boolean): string {
  const { command, workingDir, successExitCode, outputContains, outputNotContains, env } = check;
  const asked = Object.entries(env).filter(([name]) => ofTask || !name.startsWith(FIELD));
  return JSON.stringify([command, workingDir, successExitCode, outputContains, outputNotContains, asked]);
}

/** How the names of a task's variables begin. */
export const FIELD = "RALPH_";
