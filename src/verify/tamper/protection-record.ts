import type { Blobs } from "../../core/blobs.ts";
import { RalphError } from "../../core/errors.ts";
import { RECORD } from "../../core/fingerprints.ts";
import type { Fingerprints, LoopSpec } from "../../core/loop/spec.ts";
import { type LoopRole, ROLES } from "../../core/task/role.ts";
import { isShared } from "../../core/test-files/file-role.ts";
import { runIn } from "../test-files/compare.ts";
import { type FileState, openLook } from "./file-state.ts";
import { protectedFiles } from "./globs.ts";
import { isEmpty, lookAt } from "./protection.ts";
import { type ProtectedRecord, readRecord, type TaskRecord, writeRecord } from "./record.ts";
import { type Merged, withConflicts } from "./record-conflicts.ts";

/** Where the record of a task's protected files is, and the fingerprints in the journal. */
export interface RecordRef {
  blobs: Blobs;
  fingerprints: Fingerprints;
}

export interface RecordOptions {
  /** The fingerprints trusted before: files that are not among them came with the task's own work. */
  before?: Fingerprints;
  /** A merge that left conflicts in the checkout: the expected content of these files is read elsewhere. */
  merged?: Merged;
}

/**
 * Records everything that decides any stage of a task, in its current state: before any work, after a verified stage,
 * and after a merge by Ralph. The record outlives the loops, so that what an agent changes in one loop is still noticed
 * in the next.
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

/** Tests are watched in every stage. Files that one stage declares as its work are work in all stages. */
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

/** Gives a loop its part of the task's record, whatever has happened to the checkout since. */
export async function protectFromRecord(blobs: Blobs, spec: LoopSpec, ref: RecordRef): Promise<Fingerprints> {
  // Nothing existed that decides.
  if (ref.fingerprints[RECORD] === undefined) return {};
  const known = await readRecord(ref.blobs, ref.fingerprints);
  if (!known) throw lostTaskRecord(spec);
  const { task, ...record } = known.record;
  return writeRecord(blobs, { root: spec.cwd, record: asFor(spec, record, task), earlier: known.kept });
}

function asFor({ proof, part }: LoopSpec, record: ProtectedRecord, task: TaskRecord | undefined): ProtectedRecord {
  const place = part?.place;
  const role = place && ROLES[place];
  const free = new Set([
    ...(proof.testsMayChange ? (task?.shared ?? []) : []),
    ...(role?.changesOwnFiles ? (task?.made ?? []) : []),
  ]);
  const files = Object.entries(record.files).filter(([path]) => !free.has(path));
  return {
    ...record,
    files: { ...Object.fromEntries(files), ...(place && task?.own[place]) },
    tests: proof.testsMayChange ? null : record.tests,
    // A tester writes tests, but must not leave fewer of them.
    ...(proof.testsMayChange && role?.writesTests && record.tests ? { fewestTests: runIn(record.tests) } : {}),
  };
}

const lostTaskRecord = ({ part }: LoopSpec): RalphError =>
  new RalphError("record-lost", `the record of what decides task ${part?.task ?? ""} is gone or changed`, {
    hint: "inspect the checks and what they run in its worktree, then start the task again",
  });
