import { taskBlobs } from "../../../adapters/store/workspace.ts";
import type { Fingerprints, LoopSpec } from "../../../core/loop/spec.ts";
import { type Trust, type TrustOptions, takeTrust } from "../../../verify/tamper/trust.ts";
import type { TaskContext } from "../context.ts";

/** The task's tamper records so far. */
export const trustOf = ({ workspace, ledger }: TaskContext): Trust => ({
  blobs: taskBlobs(workspace, ledger.task.id),
  fingerprints: ledger.state.fingerprints,
});

/**
 * Records the task's deciding files as they are now. Only valid if no agent has worked since they were last verified.
 */
export function renewTrust(
  context: TaskContext,
  spec: LoopSpec,
  merged?: NonNullable<TrustOptions["merged"]>,
): Promise<Fingerprints> {
  const { blobs, fingerprints } = trustOf(context);
  return takeTrust(blobs, spec, context.settings.protect, { before: fingerprints, ...(merged ? { merged } : {}) });
}
