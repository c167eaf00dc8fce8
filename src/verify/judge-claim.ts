import { treeHashOf } from "../adapters/git/history.ts";
import type { Tamper, Verdict } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import { coveredBy } from "../core/proof/changed-paths.ts";
import { evidenceAgainst, NO_EVIDENCE, vetoes, type WorkEvidence } from "../core/proof/evidence.ts";
import { needsTrees } from "../core/proof/methods.ts";
import { addUsage, NO_USAGE, type Usage } from "../core/usage.ts";
import { dependsOnChangedTests } from "./differential.ts";
import { placeOf } from "./place.ts";
import { inPlace } from "./rooms/clean-room.ts";
import { brokenRules, scopeRule, uncommitted } from "./rules.ts";
import { incomparable, scopedWork } from "./scoped-work.ts";
import { runnerIn } from "./stage-results.ts";
import { runStages } from "./stages.ts";
import { isInOutput } from "./tamper/frozen-paths.ts";
import { watchTampering } from "./tamper/tampering.ts";
import { obsoleteTests } from "./test-files/obsolete-tests.ts";
import { type Findings, verdictOf } from "./verdict.ts";
import { blobsOf, type VerificationContext } from "./verification-context.ts";
import { decides, weaknessOf } from "./weakness.ts";
import { evidenceIn, type Work, workSince } from "./work.ts";

/** Judges a claim by what the harness sees itself. No verdict if the stop signal interrupted it. */
export async function judge(
  given: VerificationContext,
  state: LoopState,
): Promise<{ verdict: Verdict | null; usage: Usage }> {
  const { proof, guardrails } = given.spec;
  let usage = NO_USAGE;
  const label = `check-${state.n}-${(state.turn?.judged ?? 0) + 1}`;
  const spend = (more: Usage) => {
    usage = addUsage(usage, more);
  };
  // Guardrails may have changed the copy, which must equal the commit.
  await given.copy?.reset();
  // The proof is about the tree before the checks, whatever the checks or the work they run change.
  const place = await placeOf(given);
  const work = once(() => workSince(given, state, place));
  const context = { ...given, obsolete: await obsoleteTests(given, state, work) };
  const watch = await watchTampering({ ...context, fingerprints: state.fingerprints, blobs: blobsOf(context) });
  const loose = await uncommitted(context);
  const scoped = state.baseline && needsTrees(proof) ? await scopedWork(context, state.baseline, place) : null;
  const { outside, written } = byTurnOrChecks(state, scoped?.outside ?? []);
  const evidence = once(async () => {
    const seen = await work();
    return seen && evidenceIn(seen);
  });
  const runAs = (about: string) => (at: VerificationContext) =>
    runStages(proof.stages, {
      run: runnerIn({ ...at, state, label: about, results: [], evidence, spend }, "check"),
      maxParallel: proof.maxParallel,
      refuted: watch.before.length + outside.length > 0,
    });
  const known = state.baseline?.changed;
  const request = {
    context,
    label,
    kind: "check",
    state,
    stages: proof.stages,
    work: scoped,
    watch: known !== undefined,
    run: runAs(label),
  } as const;
  const placed = await inPlace(request);
  if (!placed) return { verdict: null, usage };
  // A build writes its output whenever it succeeds, which it may not have done at the baseline.
  const isUsual = coveredBy(known ?? ["/"]);
  const changed = (placed.changed ?? []).filter((path) => !isInOutput(path) && !isUsual(path));
  const { commit, note } = placed;
  const results = [...placed.results, ...(needsTrees(proof) && !scoped ? [incomparable()] : [])];
  const here = await watch.end();
  const head = commit ?? place.head;
  const gitTree = head ? await treeHashOf(context.spec.cwd, head) : "";
  const found = {
    checks: results,
    tampered: withoutPaths([...here, ...withoutPaths(placed.tampered, here)], outside),
    outside,
    broken: [
      ...scopeRule(proof.scope, outside),
      ...(await brokenRules(context, state, { head: place.head, results })),
      ...loose,
    ],
    changed: [...changed, ...written],
    guarded: guardrails.length > 0,
    claimed: Boolean(state.turn?.claim),
  };
  const isCompared = proof.differential && !proof.testsMayChange;
  const dependsOnTests = once(async () => (isCompared ? dependsOnChangedTests(request, runAs) : false));
  const proven = await examined(context, state, { found, work, evidence, dependsOnTests });
  if (!proven) return { verdict: null, usage };
  const noted = note ? { note, reason: `${proven.reason} (${note})` } : {};
  return { verdict: { ...proven, ...place, head, gitTree, ...noted }, usage };
}

/** No turn precedes the second attempt at a claim: what is new outside the scope was written during the first. */
const byTurnOrChecks = ({ turn }: LoopState, found: readonly Tamper[]) =>
  turn?.judged ? { outside: [], written: found.map(({ path }) => path) } : { outside: found, written: [] };

interface Examined {
  found: Findings;
  work(): Promise<Work | null>;
  evidence(): Promise<WorkEvidence | null>;
  /** Null if that was interrupted. */
  dependsOnTests(): Promise<boolean | null>;
}

/** The verdict on findings. What would pass is examined for evidence against it. Null if that was interrupted. */
async function examined(context: VerificationContext, state: LoopState, at: Examined): Promise<Verdict | null> {
  const { spec, stops } = context;
  const verdict = verdictOf(spec.proof, at.found);
  if (verdict.is !== "pass") return verdict;
  if (!decides(spec, verdict)) return { ...verdict, ...(await weaknessOf(context, state, { verdict, ...NOTHING })) };
  const depends = await at.dependsOnTests();
  if (depends === null) return null;
  const seen = await at.evidence();
  const evidence = evidenceAgainst(spec, state, seen && { ...seen, dependsOnChangedTests: depends });
  if (evidence.hidden && stops.soft.aborted) return null;
  const broken = vetoes(evidence, spec);
  if (broken.length > 0) return verdictOf(spec.proof, { ...at.found, broken });
  return { ...verdict, ...(await weaknessOf(context, state, { verdict, work: await at.work(), evidence })) };
}

const NOTHING = { work: null, evidence: NO_EVIDENCE };

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** A change is named once: what is outside the scope by the scope, what differs here and in a room from here. */
const withoutPaths = (tampered: readonly Tamper[], named: readonly Tamper[]): Tamper[] =>
  tampered.filter(({ path }) => !named.some((one) => one.path === path || one.path === path.split("#")[0]));
