import type { Stops } from "../adapters/io/ending.ts";
import type { RalphError } from "../core/errors.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import { type Leaf, type LeafOf, leavesOf, type MethodName } from "../core/proof/proof.ts";
import { runExternal } from "./methods/external.ts";
import type { MethodRunner } from "./methods/method.ts";
import { runPlugin } from "./methods/plugin.ts";
import { runSealed } from "./methods/sealed.ts";
import { runSemantic } from "./methods/semantic.ts";
import { runStringMatch } from "./methods/string-match.ts";

/** How each method is run. `core/proof/methods.ts` has the same table of what they are. */
const RUNNERS: { readonly [M in MethodName]: MethodRunner<LeafOf<M>> } = {
  external: runExternal,
  semantic: runSemantic,
  plugin: runPlugin,
  sealed: runSealed,
  string_match: runStringMatch,
};

export const runnerOf = ({ method }: Leaf): MethodRunner<Leaf> => RUNNERS[method];

/** Throws for a proof with a stage that could never answer, before anything is written. */
export async function checkStages(spec: LoopSpec): Promise<void> {
  for (const leaf of leavesOf(spec.proof.stages)) await runnerOf(leaf).check?.(leaf, spec);
}

export async function tryOutStages(spec: LoopSpec, stops: Stops): Promise<void> {
  for (const leaf of leavesOf(spec.proof.stages)) await runnerOf(leaf).tryOut?.(leaf, spec, stops);
}

/** What the stages of a proof need and is missing, as far as can be seen without running anything. */
export const missingParts = (spec: LoopSpec): RalphError[] =>
  leavesOf(spec.proof.stages).flatMap((leaf) => runnerOf(leaf).missing?.(leaf, spec) ?? []);
