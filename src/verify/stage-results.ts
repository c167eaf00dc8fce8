import type { CheckResult } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import { attribution } from "../core/proof/baseline.ts";
import { leavesOf } from "../core/proof/proof.ts";
import { withCounts } from "./counting/judge-counts.ts";
import { runnerOf } from "./methods.ts";
import { type StageRunner, stageRunner } from "./stages.ts";
import { blobsOf, type StageContext } from "./verification-context.ts";

/** Runs stages with their logs, compares each result with the baseline, and collects the results. */
export function runnerIn(context: StageContext, kind: "check" | "baseline"): StageRunner {
  const { spec, label, state, results, view } = context;
  const { stages } = spec.proof;
  // The stages of a group that only warns also only warn.
  const warns = new Set(leavesOf(stages).flatMap(({ name, required }) => (required ? [] : [name])));
  const blobs = blobsOf(context);
  const counting = { ...context, setting: { ...context.setting, names: blobs } };
  return stageRunner({
    stages,
    log: (place) => blobs.write(`${label}-${place}.log`),
    show: (what, result) => view.check(kind, what, result),
    async run(leaf, at) {
      const ran = await runnerOf(leaf).run(leaf, at, counting);
      if (!ran) return null;
      const found = await withCounts(ran, leaf, context);
      const optional = warns.has(leaf.name) ? { optional: true as const } : {};
      const result: CheckResult = { ...attributed(found, state), ...optional };
      results.push(result);
      return result;
    },
  });
}

function attributed(result: CheckResult, state: LoopState | null): CheckResult {
  const was = state?.spec?.part?.was?.[result.name] ?? state?.baseline?.was[result.name];
  const since = attribution(was, result.is);
  return since === null ? result : { ...result, since };
}
