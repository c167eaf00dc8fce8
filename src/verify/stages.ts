import type { CheckResult } from "../core/loop/events.ts";
import type { Leaf, Stage } from "../core/proof/proof.ts";
import { eachOf, groupsOf, limiter } from "../core/together.ts";

/** Runs one stage that is no group; null when the stop signal cut it short. */
export type StageRunner = (leaf: Leaf) => Promise<CheckResult | null>;

interface StageSetting {
  run: StageRunner;
  maxParallel: number;
}

/** Runs the stages of a proof, all of them: the next prompt is told of every failure. Null when stopped on the way. */
export function runStages(stages: readonly Stage[], { run, maxParallel }: StageSetting): Promise<CheckResult[] | null> {
  const limited = limiter(maxParallel);
  return runGroup({ stages, requireAll: false }, true, (leaf) => limited(() => run(leaf)));
}

interface Group {
  stages: readonly Stage[];
  requireAll: boolean;
}

/** `required`: whether what is in the group can fail the proof at all. */
async function runGroup(
  { stages, requireAll }: Group,
  required: boolean,
  run: StageRunner,
): Promise<CheckResult[] | null> {
  const results: CheckResult[] = [];
  for (const group of groupsOf(stages)) {
    const done = await eachOf(group, group.length, ({ item }) => runStage(item, required && item.required, run));
    if (!done) return null;
    results.push(...done.flat());
    if (requireAll && done.flat().some(({ is, optional }) => is !== "pass" && !optional)) break;
  }
  return results;
}

async function runStage(stage: Stage, required: boolean, run: StageRunner): Promise<CheckResult[] | null> {
  if (stage.method === "multi_stage") return runGroup(stage, required, run);
  const result = await run(stage);
  if (!result) return null;
  const criterion = stage.criterion === null ? {} : { criterion: stage.criterion };
  return [{ ...result, ...criterion, ...(required ? {} : { optional: true }) }];
}
