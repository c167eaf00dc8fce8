import { RalphError } from "../../core/errors.ts";
import type { Fingerprints, LoopSpec } from "../../core/loop/spec.ts";
import { testChanges } from "../tests/compare.ts";
import { lookAt } from "./protection.ts";
import type { RecordRef } from "./protection-record.ts";
import { type ProtectedRecord, readRecord, recordFolder, writeRecord } from "./record.ts";

/**
 * Records what decides a loop before which agents of the same run have worked. What was looked for before they worked
 * counts as it was then, there or not: what they changed or added of it counts as the loop's own agent's work. Only what
 * nothing asked for then (the script that a new package.json runs) is recorded as it is now.
 */
export async function protectSince(
  loopFolder: string,
  spec: LoopSpec,
  patterns: readonly string[],
  ref: RecordRef,
): Promise<Fingerprints> {
  const known = loadRecord(ref);
  const now = await lookAt(spec, patterns, known.git?.hooks);
  const earlier = recordFolder(ref.folder, ref.fingerprints);
  return writeRecord(loopFolder, spec.cwd, withBefore(spec.cwd, now, known), earlier);
}

/** The record that a run's journal has the digest of. */
export function loadRecord({ folder, fingerprints }: RecordRef): ProtectedRecord {
  const place = recordFolder(folder, fingerprints);
  const known = place === null ? null : readRecord(place, fingerprints);
  if (!known) throw lostRunRecord();
  return known;
}

function withBefore(cwd: string, now: ProtectedRecord, known: ProtectedRecord): ProtectedRecord {
  return {
    ...now,
    files: { ...now.files, ...known.files },
    values: { ...now.values, ...known.values },
    git: known.git ?? now.git,
    ...testsSince(cwd, now.tests, known.tests),
  };
}

/** Tests that were added, moved or renamed are honest work and count from now on; those of before still count too. */
function testsSince(cwd: string, now: Tests, known: Tests): Pick<ProtectedRecord, "tests" | "earlierTests"> {
  if (!now || !known) return { tests: now };
  return testChanges(cwd, known).length > 0 ? { tests: known } : { tests: now, earlierTests: known };
}

type Tests = ProtectedRecord["tests"];

export const lostRunRecord = (): RalphError =>
  new RalphError("record-lost", "what decides this loop was recorded when its run began, and the record is gone", {
    hint: "look at the checks and what they run, then start another run",
  });
