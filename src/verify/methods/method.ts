import type { Stops } from "../../adapters/io/ending.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import type { RalphError } from "../../core/errors.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { Leaf } from "../../core/proof/proof.ts";
import type { StageContext } from "../verification-context.ts";

/** How a verification method is run. `core/proof/methods` defines everything else about it. */
export interface MethodRunner<L extends Leaf> {
  /** Runs a stage. Null if the stop signal interrupted it. */
  run(leaf: L, at: StagePlace, context: StageContext): Promise<CheckResult | null>;
  /** Throws for a stage that could never answer, before anything is written. */
  check?(leaf: L, spec: LoopSpec): Promise<void>;
  /** Tries once what a stage needs, and throws if that fails, before an agent costs anything. */
  tryOut?(leaf: L, spec: LoopSpec, stops: Stops): Promise<void>;
  /** What `tryOut` would throw, as far as can be seen without running anything. */
  missing?(leaf: L, spec: LoopSpec): RalphError[];
}

export interface StagePlace {
  place: number;
  log: BlobWriter;
}
