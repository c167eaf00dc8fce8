import { looseFiles } from "../adapters/git/loose-files.ts";
import { cleanState } from "../adapters/git/tree-state.ts";
import { SETTINGS_PATHS } from "../adapters/settings/settings-files.ts";
import type { Baseline } from "../core/loop/events.ts";
import { coveringPaths } from "../core/proof/changed-paths.ts";
import { baselineLeaves, methodOf, needsTrees } from "../core/proof/methods.ts";
import { leavesOf } from "../core/proof/proof.ts";
import { pathsMade } from "./made-paths.ts";
import { type Place, placeOf } from "./place.ts";
import { inPlace } from "./rooms/clean-room.ts";
import { incomparable, scopedWork } from "./scoped-work.ts";
import { runnerIn } from "./stage-results.ts";
import { runStages } from "./stages.ts";
import { readRecord } from "./tamper/record.ts";
import { unprotectedChecks } from "./tamper/unprotected.ts";
import { blobsOf, type VerificationContext } from "./verification-context.ts";

/** Runs the checks before any work, and records what they will be compared with. Null if stopped. */
export async function takeBaseline(context: VerificationContext): Promise<Baseline | null> {
  const { spec } = context;
  await reportUnprotected(context);
  const leaves = baselineLeaves(spec.proof);
  const stages = leaves.map((leaf) => ({ ...leaf, parallel: false }));
  const about = { state: null, label: "baseline", results: [], evidence: async () => null, spend: () => undefined };
  const before = needsTrees(spec.proof) ? await placeOf(context) : null;
  const work = before && (await scopedWork(context, before, before));
  const run = (at: VerificationContext) =>
    runStages(stages, { run: runnerIn({ ...at, ...about }, "baseline"), maxParallel: spec.proof.maxParallel });
  // Only if all checks run: another one could change more.
  const isWhole = leavesOf(spec.proof.stages).every((leaf) => methodOf(leaf).inBaseline || !methodOf(leaf).inCleanRoom);
  const watch = isWhole && stages.length > 0;
  const placed = await inPlace({ context, label: "baseline", kind: "baseline", state: null, stages, work, watch, run });
  if (!placed) return null;
  const changed = placed.changed ? { changed: coveringPaths([...placed.changed]) } : {};
  const after = await placeOf(context);
  const results = [...placed.results, ...(before && !work ? [incomparable()] : [])];
  const trees = before ? await startTrees(context, before, after) : {};
  const loose = spec.proof.rules.includes("new-commit") ? { loose: await looseFiles(spec.cwd) } : {};
  // What an earlier attempt did for a task counts as work.
  const since = spec.part?.since;
  const start = since === undefined ? {} : { start: cleanState(since) };
  return { results, ...after, ...trees, ...changed, ...loose, ...start };
}

/** The snapshot from before the checks, and what they created. */
async function startTrees(context: VerificationContext, before: Place, after: Place): Promise<Partial<Baseline>> {
  const { snapshot } = before;
  const made = snapshot && after.snapshot ? await pathsMade(context, snapshot, after.snapshot) : null;
  return { ...(snapshot ? { snapshot } : {}), ...(made?.length ? { made } : {}) };
}

/** A check that the agent can pass by changing what decides it is reported before any money is spent. */
async function reportUnprotected(context: VerificationContext): Promise<void> {
  const { spec, workspace, loop, view } = context;
  if (!view.note || unprotectedChecks(spec).length === 0) return;
  const { state } = await workspace.store.load(loop);
  const record = await readRecord(blobsOf(context), state.fingerprints);
  const settings: readonly string[] = SETTINGS_PATHS;
  const patterns = (record?.record.protect ?? []).filter((path) => !settings.includes(path));
  const commands = unprotectedChecks(spec, patterns);
  if (commands.length > 0) view.note({ type: "checks.unprotected", loop, commands });
}
