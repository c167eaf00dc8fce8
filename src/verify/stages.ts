import type { BlobWriter } from "../core/blobs.ts";
import { eachOf, groupsOf, limiter } from "../core/concurrency.ts";
import type { CheckResult } from "../core/loop/events.ts";
import { methodOf } from "../core/proof/methods.ts";
import { type Leaf, leavesOf, passesBy, type Stage } from "../core/proof/proof.ts";
import type { StagePlace } from "./methods/method.ts";

/** Runs one stage that is not a group. Null if the stop signal interrupted it. */
export type StageRunner = (leaf: Leaf) => Promise<CheckResult | null>;

interface StageRunning {
  stages: readonly Stage[];
  /** The log of a stage, by its place among all of them. */
  log(place: number): BlobWriter;
  /** Called before each stage without a result, and after it. */
  show(what: string, result: CheckResult | null): void;
  run(leaf: Leaf, at: StagePlace): Promise<CheckResult | null>;
}

/** A runner that gives each stage its own log and shows it. */
export function stageRunner({ stages, log, show, run }: StageRunning): StageRunner {
  const places = new Map(leavesOf(stages).map(({ name }, i) => [name, i + 1]));
  return async (leaf) => {
    const what = methodOf(leaf).progress(leaf);
    const place = places.get(leaf.name) ?? 0;
    if (what !== null) show(what, null);
    const result = await run(leaf, { place, log: log(place) });
    if (what !== null && result) show(what, result);
    return result;
  };
}

interface StageSetting {
  run: StageRunner;
  maxParallel: number;
  /** The claim is already refuted. */
  refuted?: boolean;
}

/**
 * Runs all stages of a proof, because the next prompt names every failure. Only a judge costs money, so it is not asked
 * about a claim that a command has refuted. Null if stopped.
 */
export async function runStages(stages: readonly Stage[], setting: StageSetting): Promise<CheckResult[] | null> {
  const limited = limiter(setting.maxParallel);
  const results: CheckResult[] = [];
  let refuted = setting.refuted ?? false;
  for (const group of groupsOf(stages)) {
    const due = group
      .map(({ item }) => item)
      .filter((stage) => !refuted || stage.method === "multi_stage" || !methodOf(stage).costsMoney);
    const found = await runGroup({ stages: due, requireAll: false }, true, (leaf) => limited(() => setting.run(leaf)));
    if (!found) return null;
    results.push(...found);
    refuted ||= found.some(({ is, optional }) => is === "fail" && !optional);
  }
  return results;
}

/** `required`: whether the group can fail the proof at all. Null if stopped. */
async function runGroup(
  { stages, requireAll }: { stages: readonly Stage[]; requireAll: boolean },
  required: boolean,
  run: StageRunner,
): Promise<CheckResult[] | null> {
  const results: CheckResult[] = [];
  for (const group of groupsOf(stages)) {
    const done = await eachOf(group, group.length, async ({ item }) => {
      const found = await runStage(item, required && item.required, run);
      return found && { found, failed: item.required && !passes(item, found) };
    });
    if (!done) return null;
    results.push(...done.flatMap(({ found }) => found));
    if (requireAll && done.some(({ failed }) => failed)) break;
  }
  return results;
}

/** From the group's point of view, so that a group that only warns still stops at its first failure. */
const passes = (stage: Stage, results: readonly CheckResult[]): boolean =>
  passesBy(stage, new Map(results.map(({ name, is }) => [name, is])));

async function runStage(stage: Stage, required: boolean, run: StageRunner): Promise<CheckResult[] | null> {
  if (stage.method === "multi_stage") return runGroup(stage, required, run);
  const result = await run(stage);
  if (!result) return null;
  const criterion = stage.criterion === null ? {} : { criterion: stage.criterion };
  return [{ ...result, ...criterion, ...(required ? {} : { optional: true }) }];
}
