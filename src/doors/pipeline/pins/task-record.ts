import { taskBlobs } from "../../../adapters/store/workspace.ts";
import type { Fingerprints, LoopSpec } from "../../../core/loop/spec.ts";
import { type RecordOptions, type RecordRef, recordProtection } from "../../../verify/tamper/protection-record.ts";
import type { TaskContext } from "../context.ts";

/** What the task has trusted so far. */
export const taskRecordRef = ({ workspace, ledger }: TaskContext): RecordRef => ({
  blobs: taskBlobs(workspace, ledger.task.id),
  fingerprints: ledger.state.fingerprints,
});

/** Takes what decides the task as it is now: only where nobody has worked since it was last known to be in order. */
export function renewTaskRecord(
  context: TaskContext,
  spec: LoopSpec,
  merged?: NonNullable<RecordOptions["merged"]>,
): Promise<Fingerprints> {
  const { blobs, fingerprints } = taskRecordRef(context);
  return recordProtection(blobs, spec, context.settings.protect, {
    before: fingerprints,
    ...(merged ? { merged } : {}),
  });
}
