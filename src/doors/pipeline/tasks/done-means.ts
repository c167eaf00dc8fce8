import { mergeSettings } from "../../../adapters/settings/settings.ts";
import { readTaskSettings } from "../../../adapters/settings/settings-files.ts";
import { isCommand } from "../../../core/proof/methods/external.ts";
import { backingLeaves, methodOf } from "../../../core/proof/methods.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import type { AgentRole } from "../../../core/task/role.ts";
import { type ProvenTask, stageProof, stagesOf } from "../stage/proof.ts";

/** What decides that a task is done, besides the words of its agents. */
export interface DoneMeans {
  /** Commands that must exit 0. */
  checks: string[];
  /** What a judge, a plugin or a hidden check decides, in words. */
  judged: string[];
}

/** What has to pass in any of a task's stages, each once. Without both, only the promises of its agents count. */
export function doneMeans(
  task: ProvenTask,
  settings: Settings,
  stages: readonly AgentRole[] = stagesOf(settings),
): DoneMeans {
  const leaves = stages.flatMap((place) => backingLeaves(stageProof(task, place, settings).proof.stages));
  const required = leaves.filter((leaf) => leaf.required);
  const guardrails = (settings.guardrails ?? []).map(({ command }) => command);
  const checks = required.flatMap((leaf) => (isCommand(leaf) ? [leaf.command] : []));
  const judged = required.flatMap((leaf) => (isCommand(leaf) ? [] : [methodOf(leaf).subject(leaf)]));
  return { checks: [...new Set([...checks, ...guardrails])], judged: [...new Set(judged)] };
}

/** The settings of tasks in a folder, without looking for agents. */
export async function taskSettings(cwd: string): Promise<{ settings: Settings; paths: string[] }> {
  const { layers, paths } = await readTaskSettings(cwd, undefined);
  return { settings: mergeSettings(...layers), paths };
}
