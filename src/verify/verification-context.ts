import type { CheckResult } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { Usage } from "../core/usage.ts";
import type { CheckSetting } from "./check.ts";
import type { PortsRequest } from "./ports-request.ts";

/** What every stage of a proof is run with. */
export interface VerificationContext extends PortsRequest {
  setting: CheckSetting;
}

/** What one judgement is about, and what it has cost so far. */
export interface Verification extends VerificationContext {
  /** Null before any work. */
  state: LoopState | null;
  /** Names the judgement in the files it leaves: `baseline`, or `check-<iteration>-<try>`. */
  label: string;
  /** Results of the stages that have ended, in the order they ended: evidence for the judge. */
  results: CheckResult[];
  spend(usage: Usage): void;
}
