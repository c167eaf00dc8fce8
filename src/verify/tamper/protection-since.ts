import type { Blobs } from "../../core/blobs.ts";
import { RalphError } from "../../core/errors.ts";
import type { Fingerprints, LoopSpec } from "../../core/loop/spec.ts";
import { testChanges } from "../test-files/compare.ts";
import { lookAt } from "./protection.ts";
import type { RecordRef } from "./protection-record.ts";
import { type KeptRecord, type ProtectedRecord, readRecord, writeRecord } from "./record.ts";

/**
 * Records what decides a loop before which agents of the same run have worked. What was looked for before they worked
 * counts as it was then, there or not: what they changed or added of it counts as the loop's own agent's work. Only what
 * nothing asked for then (the script that a new package.json runs) is recorded as it is now.
 */
export async function protectSince(
  blobs: Blobs,
  spec: LoopSpec,
  patterns: readonly string[],
  ref: RecordRef,
): Promise<Fingerprints> {
  const { record: known, kept: earlier } = await loadRecord(ref);
  const now = await lookAt(spec, patterns, known.git?.hooks);
  return writeRecord(blobs, { root: spec.cwd, record: withBefore(spec.cwd, now, known), earlier });
}

export async function loadRecord({ blobs, fingerprints }: RecordRef): Promise<KeptRecord> {
  const known = await readRecord(blobs, fingerprints);
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
