import type { Fingerprints, LoopSpec } from "../../../core/loop/spec.ts";
import { taskBlobs } from "../../../core/workspace.ts";
import { type RecordOptions, type RecordRef, recordProtection } from "../../../verify/tamper/protection-record.ts";
import type { TaskContext } from "../context.ts";

/** The task's tamper records so far. */
export const taskRecordRef = ({ workspace, ledger }: TaskContext): RecordRef => ({
  blobs: taskBlobs(workspace, ledger.task.id),
  fingerprints: ledger.state.fingerprints,
});

/** Records the task's deciding files now. Only valid if no agent has worked since they were last verified. */
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
