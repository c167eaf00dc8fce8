import type { Blobs } from "../../core/blobs.ts";
import { RalphError } from "../../core/errors.ts";
import { RECORD } from "../../core/fingerprints.ts";
import type { Fingerprints, LoopSpec } from "../../core/loop/spec.ts";
import type { LoopRole } from "../../core/task/events.ts";
import { runIn } from "../test-files/compare.ts";
import { type FileState, openLook } from "./file-state.ts";
import { protectedFiles } from "./globs.ts";
import { isShared } from "./pins.ts";
import { isEmpty, lookAt } from "./protection.ts";
import { type ProtectedRecord, readRecord, type TaskRecord, writeRecord } from "./record.ts";
import { type Merged, withConflicts } from "./record-conflicts.ts";

/** Where the record of what a task protects is, and what the journal knows of it. */
export interface RecordRef {
  blobs: Blobs;
  fingerprints: Fingerprints;
}

export interface RecordOptions {
  /** What was trusted before: files that are not in it came with the task's own work. */
  before?: Fingerprints;
  /** A merge that left conflicts in the checkout: what these files have to keep is read elsewhere. */
  merged?: Merged;
}

/**
 * Takes down all that decides any stage of a task, as it is now: before any work on it, after a stage that was
 * verified, and after a merge that we made ourselves. It outlives the loops, so that what an agent does to it in one
 * loop is still seen in the next one.
 */
export async function recordProtection(
  blobs: Blobs,
  spec: LoopSpec,
  patterns: readonly string[],
  { before = {}, merged }: RecordOptions = {},
): Promise<Fingerprints> {
  const { record: known = null, kept: earlier = null } = (await readRecord(blobs, before)) ?? {};
  const now = await lookAt(forAllStages(spec), patterns);
  const task = taskRecord(spec, patterns, now, known);
  const seen: ProtectedRecord = { ...now, task };
  const record = merged ? await withConflicts(seen, known, { ...merged, cwd: spec.cwd }) : seen;
  const isBare = isEmpty(record) && Object.keys(task.own).length === 0;
  return isBare ? {} : writeRecord(blobs, { root: spec.cwd, record, earlier });
}

/** Tests are watched in every stage, and what a stage says to be its work is so for all. */
const forAllStages = (spec: LoopSpec): LoopSpec => ({
  ...spec,
  proof: {
    ...spec.proof,
    testsMayChange: false,
    protect: (spec.part?.watched ?? []).flatMap(({ protect }) => protect.filter((glob) => glob.startsWith("!"))),
  },
});

function taskRecord(
  { cwd, part }: LoopSpec,
  patterns: readonly string[],
  { files }: ProtectedRecord,
  known: ProtectedRecord | null,
): TaskRecord {
  const look = openLook(cwd);
  const named = new Set(protectedFiles(cwd, patterns));
  const others = Object.keys(files).filter((path) => !named.has(path));
  const own = (part?.watched ?? []).flatMap(({ place, protect }): [LoopRole, Record<string, FileState>][] => {
    const paths = protectedFiles(cwd, protect);
    return paths.length === 0 ? [] : [[place, Object.fromEntries(paths.map((path) => [path, look.state(path)]))]];
  });
  const fresh = known ? others.filter((path) => !Object.hasOwn(known.files, path)) : [];
  return {
    shared: others.filter(isShared),
    made: [...new Set([...(known?.task?.made ?? []), ...fresh])],
    own: Object.fromEntries(own),
  };
}

/** Gives a loop the part of its task's record that it has to keep to, whatever became of the checkout since. */
export async function protectFromRecord(blobs: Blobs, spec: LoopSpec, ref: RecordRef): Promise<Fingerprints> {
  // Nothing was there that decides.
  if (ref.fingerprints[RECORD] === undefined) return {};
  const known = await readRecord(ref.blobs, ref.fingerprints);
  if (!known) throw lostTaskRecord(spec);
  const { task, ...record } = known.record;
  return writeRecord(blobs, { root: spec.cwd, record: asFor(spec, record, task), earlier: known.kept });
}

function asFor({ proof, part }: LoopSpec, record: ProtectedRecord, task: TaskRecord | undefined): ProtectedRecord {
  const place = part?.place;
  const free = new Set([
    ...(proof.testsMayChange ? (task?.shared ?? []) : []),
    ...(place === "coder" || place === "conflict" ? (task?.made ?? []) : []),
  ]);
  const files = Object.entries(record.files).filter(([path]) => !free.has(path));
  return {
    ...record,
    files: { ...Object.fromEntries(files), ...(place && task?.own[place]) },
    tests: proof.testsMayChange ? null : record.tests,
    // A tester writes tests: that there are fewer afterwards is none of its work.
    ...(proof.testsMayChange && place === "tester" && record.tests ? { fewestTests: runIn(record.tests) } : {}),
  };
}

const lostTaskRecord = ({ part }: LoopSpec): RalphError =>
  new RalphError(
    "record-lost",
    `what decides the task ${part?.task ?? ""} was taken down, and the record is gone or changed`,
    {
      hint: "look at the checks and what they run in its worktree, then have the task begin anew",
    },
  );
