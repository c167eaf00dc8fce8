import { taskBlobs } from "../../../adapters/store/workspace.ts";
import type { Fingerprints, LoopSpec } from "../../../core/loop/spec.ts";
import { type Trust, type TrustOptions, takeTrust } from "../../../verify/tamper/trust.ts";
import type { TaskContext } from "../context.ts";

/** What the task has trusted so far. */
export const trustOf = ({ workspace, ledger }: TaskContext): Trust => ({
  blobs: taskBlobs(workspace, ledger.task.id),
  fingerprints: ledger.state.fingerprints,
});

/** Takes what decides the task as it is now: only where nobody has worked since it was last known to be in order. */
export function renewTrust(
  context: TaskContext,
  spec: LoopSpec,
  merged?: NonNullable<TrustOptions["merged"]>,
): Promise<Fingerprints> {
  const { blobs, fingerprints } = trustOf(context);
  return takeTrust(blobs, spec, context.settings.protect, { before: fingerprints, ...(merged ? { merged } : {}) });
}
