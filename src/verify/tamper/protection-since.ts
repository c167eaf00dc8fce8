import type { Blobs } from "../../core/blobs.ts";
import { RalphError } from "../../core/errors.ts";
import type { Fingerprints, LoopSpec } from "../../core/loop/spec.ts";
import { testChanges } from "../test-files/compare.ts";
import { appeared } from "./absences.ts";
import { lookAt } from "./protection.ts";
import type { RecordRef } from "./protection-record.ts";
import { type KeptRecord, type ProtectedRecord, readRecord, writeRecord } from "./record.ts";

/**
 * Records what decides a loop after other agents of the same run have worked. Everything recorded before they worked
 * counts in that state, existing or not: their changes count as changes by the loop's own agent. Only files that were
 * not considered then (the script that a new package.json runs) are recorded in their current state.
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
  // What an agent added before is not what the loop started with.
  const added = new Set(appeared(cwd, known.absent ?? []).map(({ path }) => path));
  const files = Object.entries(now.files).filter(([path]) => !added.has(path));
  return {
    ...now,
    files: { ...Object.fromEntries(files), ...known.files },
    absent: known.absent ?? now.absent ?? [],
    values: { ...now.values, ...known.values },
    git: known.git ?? now.git,
    ...testsSince(cwd, now.tests, known.tests),
  };
}

/** Added, moved or renamed tests are honest work and count from now on; the earlier ones still count too. */
function testsSince(cwd: string, now: Tests, known: Tests): Pick<ProtectedRecord, "tests" | "earlierTests"> {
  if (!now || !known) return { tests: now };
  return testChanges(cwd, known).length > 0 ? { tests: known } : { tests: now, earlierTests: known };
}

type Tests = ProtectedRecord["tests"];

export const lostRunRecord = (): RalphError =>
  new RalphError("record-lost", "the record of what decides this loop, made when its run started, is gone", {
    hint: "inspect the checks and what they run, then start another run",
  });
