import { RalphError } from "../core/errors.ts";
import type { Fingerprints, LoopSpec } from "../core/loop/spec.ts";
import { type ProtectedRecord, readRecord, recordFolder, writeRecord } from "../verify/tamper/record.ts";
import { testChanges } from "../verify/tests/compare.ts";
import { lookAt } from "./protection.ts";
import type { Trust } from "./trust.ts";

/**
 * Takes down all that decides a loop before which others have worked: what was there before them as it was then, what
 * they have added as it is now.
 */
export async function protectSince(
  loopFolder: string,
  spec: LoopSpec,
  patterns: readonly string[],
  { folder, fingerprints }: Trust,
): Promise<Fingerprints> {
  const earlier = recordFolder(folder, fingerprints);
  const known = earlier === null ? null : readRecord(earlier, fingerprints);
  if (!known) throw lostRecord();
  return writeRecord(loopFolder, spec.cwd, withBefore(spec.cwd, await lookAt(spec, patterns), known), earlier);
}

function withBefore(cwd: string, now: ProtectedRecord, known: ProtectedRecord): ProtectedRecord {
  const there = Object.entries(known.files).filter(([, { is }]) => is !== "absent");
  const values = Object.entries(known.values).filter(([, value]) => value !== null);
  return {
    ...now,
    files: { ...now.files, ...Object.fromEntries(there) },
    values: { ...now.values, ...Object.fromEntries(values) },
    git: known.git ?? now.git,
    // Tests that were added, moved or renamed are honest work, and count from now on.
    tests: now.tests && known.tests && testChanges(cwd, known.tests).length > 0 ? known.tests : now.tests,
  };
}

const lostRecord = (): RalphError =>
  new RalphError("record-lost", "what decides this loop was taken down when its run began, and the record is gone", {
    hint: "look at the checks and what they run, then start another run",
  });
