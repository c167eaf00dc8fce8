import type { Stops } from "../../adapters/io/ending.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import type { RalphError } from "../../core/errors.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { Leaf } from "../../core/proof/proof.ts";
import type { StageContext } from "../verification-context.ts";

/** How a verification method is run; `core/proof/methods` has what else it is. */
export interface MethodRunner<L extends Leaf> {
  /** Runs a stage; null when the stop signal cut it short. */
  run(leaf: L, at: StagePlace, context: StageContext): Promise<CheckResult | null>;
  /** Refuses a stage that could never answer, before anything is written. */
  check(leaf: L, spec: LoopSpec): Promise<void>;
  /** Starts what a stage needs once, and refuses it where that fails, before an agent is paid. */
  tryOut(leaf: L, spec: LoopSpec, stops: Stops): Promise<void>;
  /** What `tryOut` would refuse, as far as it can be seen without running anything. */
  missing(leaf: L, spec: LoopSpec): RalphError[];
}

export interface StagePlace {
  place: number;
  log: BlobWriter;
}
