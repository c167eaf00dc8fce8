import { hardenedGit } from "../adapters/git/hardened-git.ts";
import { treeHashOf } from "../adapters/git/history.ts";
import { looseFiles } from "../adapters/git/loose-files.ts";
import { headOf } from "../adapters/git/repository.ts";
import { addedRepositories, changedFiles } from "../adapters/git/tracked.ts";
import { checkoutState, cleanState } from "../adapters/git/tree-state.ts";
import { firstNamed } from "../core/excerpt.ts";
import type { Baseline, CheckResult, Verdict } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import { attribution } from "../core/proof/baseline.ts";
import { baselineLeaves } from "../core/proof/methods.ts";
import { leavesOf } from "../core/proof/proof.ts";
import { isRalphFile } from "../core/ralph-files.ts";
import { addUsage, NO_USAGE, type Usage } from "../core/usage.ts";
import { runnerOf } from "./methods.ts";
import { inPlace } from "./rooms/clean-room.ts";
import { type BrokenRule, brokenRules } from "./rules.ts";
import { runStages, type StageRunner, stageRunner } from "./stages.ts";
import { watchTampering } from "./tamper/tampering.ts";
import { verdictOf } from "./verdict.ts";
import { blobsOf, type StageContext, type VerificationContext } from "./verification-context.ts";
import { weaknessOf } from "./weakness.ts";

export async function takeBaseline(context: VerificationContext): Promise<Baseline | null> {
  const { spec } = context;
  const leaves = baselineLeaves(spec.proof);
  const stages = leaves.map((leaf) => ({ ...leaf, parallel: false }));
  const about = { state: null, label: "baseline", results: [], spend: () => undefined };
  const run = (at: VerificationContext) =>
    runStages(stages, { run: runnerIn({ ...at, ...about }, "baseline"), maxParallel: spec.proof.maxParallel });
  const placed = await inPlace({ context, label: "baseline", kind: "baseline", state: null, stages, run });
  if (!placed) return null;
  const loose = spec.proof.rules.includes("new-commit") ? { loose: await looseFiles(spec.cwd) } : {};
  // What an earlier attempt did for a task counts as work.
  const since = spec.part?.since;
  const start = since === undefined ? {} : { start: cleanState(since) };
  return { results: placed.results, ...(await placeOf(context)), ...loose, ...start };
}

/** Judges a claim by what the harness sees itself. No verdict if the stop signal interrupted it. */
export async function judge(
  context: VerificationContext,
  state: LoopState,
): Promise<{ verdict: Verdict | null; usage: Usage }> {
  const { proof, guardrails } = context.spec;
  let usage = NO_USAGE;
  const label = `check-${state.n}-${(state.turn?.judged ?? 0) + 1}`;
  const spend = (more: Usage) => {
    usage = addUsage(usage, more);
  };
  // Guardrails may have changed the copy, which must equal the commit.
  await context.copy?.reset();
  const watch = await watchTampering({
    ...context,
    fingerprints: state.fingerprints,
    blobs: blobsOf(context),
  });
  // The proof is about the tree before the checks, whatever the checks or the work they run change.
  const place = await placeOf(context);
  const loose = await uncommitted(context);
  const about = { state, label, results: [], spend };
  const run = (at: VerificationContext) =>
    runStages(proof.stages, {
      run: runnerIn({ ...at, ...about }, "check"),
      maxParallel: proof.maxParallel,
      refuted: watch.before.length > 0,
    });
  const placed = await inPlace({ context, label, kind: "check", state, stages: proof.stages, run });
  if (!placed) return { verdict: null, usage };
  const { results, commit, note } = placed;
  const here = await watch.end();
  const head = commit ?? place.head;
  const gitTree = head ? await treeHashOf(context.spec.cwd, head) : "";
  const verdict = verdictOf(proof, {
    checks: results,
    tampered: [...here, ...placed.tampered.filter(({ path }) => !here.some((tamper) => tamper.path === path))],
    broken: [...(await brokenRules(context, state, { head: place.head, results })), ...loose],
    guarded: guardrails.length > 0,
    claimed: Boolean(state.turn?.claim),
  });
  const noted = note ? { note, reason: `${verdict.reason} (${note})` } : {};
  const weakness = verdict.is === "pass" ? await weaknessOf(context, state, { verdict, ...place, head }) : {};
  return { verdict: { ...verdict, ...place, head, gitTree, ...noted, ...weakness }, usage };
}

function attributed(result: CheckResult, state: LoopState | null): CheckResult {
  const was = state?.spec?.part?.was?.[result.name] ?? state?.baseline?.was[result.name];
  const since = attribution(was, result.is);
  return since === null ? result : { ...result, since };
}

/** The commit, tree digest and snapshot of the checkout; empty without git. */
async function placeOf({
  spec,
  stops,
  snapshots,
}: VerificationContext): Promise<Pick<Baseline, "head" | "tree" | "snapshot">> {
  if (!spec.tracked) return { head: "", tree: null };
  const [seen, snapshot] = await Promise.all([checkoutState(spec.cwd, stops.soft), snapshots.capture(stops.soft)]);
  return { ...(seen ?? { head: await headOf(spec.cwd), tree: null }), snapshot };
}

/** Only the committed part of a task is merged, so nothing else may be proven. */
async function uncommitted({ spec }: VerificationContext): Promise<BrokenRule[]> {
  const { cwd, part } = spec;
  if (!part) return [];
  const changed = await changedFiles(await hardenedGit(cwd, { whose: "ralph" }));
  const added = part.base ? await addedRepositories(cwd, part.base) : [];
  if (!changed || !added)
    return [{ rule: "git-readable", text: "git cannot determine whether the checked files are committed" }];
  const files = [...changed.filter((path) => !isRalphFile(path)), ...added];
  if (files.length === 0) return [];
  const text = `the checked files are not committed (${firstNamed(files)}): commit them`;
  return [{ rule: "committed", text }];
}

function runnerIn(context: StageContext, kind: "check" | "baseline"): StageRunner {
  const { spec, label, state, results, view } = context;
  const { stages } = spec.proof;
  // The stages of a group that only warns also only warn.
  const warns = new Set(leavesOf(stages).flatMap(({ name, required }) => (required ? [] : [name])));
  const blobs = blobsOf(context);
  return stageRunner({
    stages,
    log: (place) => blobs.write(`${label}-${place}.log`),
    show: (what, result) => view.check(kind, what, result),
    async run(leaf, at) {
      const found = await runnerOf(leaf).run(leaf, at, context);
      if (!found) return null;
      const optional = warns.has(leaf.name) ? { optional: true as const } : {};
      const result: CheckResult = { ...attributed(found, state), ...optional };
      results.push(result);
      return result;
    },
  });
}
