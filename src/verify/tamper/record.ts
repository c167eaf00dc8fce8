import { join } from "node:path";
import { contentAt, entryAt } from "../../adapters/io/look.ts";
import type { Blobs } from "../../core/blobs.ts";
import { RECORD } from "../../core/fingerprints.ts";
import type { Fingerprints } from "../../core/loop/spec.ts";
import type { LoopRole } from "../../core/task/role.ts";
import type { Inventory } from "../test-files/inventory.ts";
import type { Absence } from "./absences.ts";
import { type FileState, sha256, stateDigest } from "./file-state.ts";
import type { Value } from "./values.ts";

/** Everything that decides completion, in its state when the loop started or when the user last accepted it. */
export interface ProtectedRecord {
  /** The patterns given by the user, needed to record everything again. */
  protect: readonly string[];
  /** Frozen files, and files that must not appear. */
  files: Readonly<Record<string, FileState>>;
  values: Readonly<Record<string, Value>>;
  /** Files among them that may change as long as their effect is the same or stricter. */
  byEffect?: readonly string[];
  /** The goals of make that the checks use. */
  goals?: readonly string[];
  /** What must not appear in folders whose files are not recorded one by one. */
  absent?: readonly Absence[];
  /** Whether the repository's hooks count; null if there is no repository. */
  git: { hooks: boolean; overlooked: readonly string[] } | null;
  /** The watched tests; null if tests may change. */
  tests: Inventory | null;
  /** The tests from before other agents of the same run worked, if nothing was removed from them by then. */
  earlierTests?: Inventory;
  /** The minimum number of tests, if tests may change. */
  fewestTests?: number;
  /** Only in the record of a whole task, because its loops do not all protect the same files. */
  task?: TaskRecord;
}

export interface TaskRecord {
  /** Files that may change where tests may change. */
  shared: readonly string[];
  /** Files that came with the task's own work: its coder may continue to change them. */
  made: readonly string[];
  own: Readonly<Partial<Record<LoopRole, Readonly<Record<string, FileState>>>>>;
}

/** Fingerprints are part of every snapshot of the journal: beyond this number, only the record has them. */
const MOST_FINGERPRINTS = 300;
const MOST_COPY_BYTES = 1 << 20;
const MOST_COPIES_BYTES = 64 << 20;

function recordBlobs(blobs: Blobs, fingerprints: Fingerprints): Blobs | null {
  const digest = fingerprints[RECORD];
  return digest === undefined ? null : blobs.in(`protected-${digest.slice(0, 16)}`);
}

interface Recorded {
  root: string;
  record: ProtectedRecord;
  /** An earlier record, with copies of files that have changed in the checkout. */
  earlier?: Blobs | null;
}

/** Stores a record durably with copies of the files. Returns the fingerprints for the journal. */
export async function writeRecord(blobs: Blobs, { root, record, earlier = null }: Recorded): Promise<Fingerprints> {
  const text = JSON.stringify(record);
  const fingerprints = { ...digests(record), [RECORD]: sha256(text) };
  const kept = recordBlobs(blobs, fingerprints) ?? blobs;
  // Last, so that a record exists only with all its copies.
  await writeCopies(kept, root, record, earlier);
  await kept.put(RECORD_NAME, text);
  return fingerprints;
}

const RECORD_NAME = "record.json";

/** The digests by path: the part of a record that users see. */
export const digests = ({ files, values }: Pick<ProtectedRecord, "files" | "values">): Fingerprints =>
  Object.fromEntries(
    [
      ...Object.entries(files).flatMap(([path, state]) =>
        state.is === "absent" ? [] : [[path, stateDigest(state)] as const],
      ),
      ...Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value.sha] as const])),
    ].slice(0, MOST_FINGERPRINTS),
  );

async function writeCopies(
  kept: Blobs,
  root: string,
  { files, task }: ProtectedRecord,
  earlier: Blobs | null,
): Promise<void> {
  let room = MOST_COPIES_BYTES;
  const written: Promise<void>[] = [];
  const seen = new Set<string>();
  const states = [files, ...Object.values(task?.own ?? {})].flatMap((some) => Object.entries(some));
  for (const [path, { is, sha }] of states) {
    if (is !== "file" || sha === undefined || seen.has(sha)) continue;
    seen.add(sha);
    const here = contentOf(join(root, path));
    const content = here && sha256(here) === sha ? here : earlier && (await copyOf(earlier, sha));
    if (!content || content.length > room) continue;
    written.push(kept.put(`copies/${sha}`, content));
    room -= content.length;
  }
  await Promise.all(written);
}

/** The record that the journal refers to; null if it is gone or changed. */
export async function readRecord(blobs: Blobs, fingerprints: Fingerprints): Promise<KeptRecord | null> {
  const kept = recordBlobs(blobs, fingerprints);
  const text = (await kept?.get(RECORD_NAME))?.toString("utf8");
  // The journal has its digest, so only Ralph can have written it.
  if (!kept || text === undefined || sha256(text) !== fingerprints[RECORD]) return null;
  return { record: JSON.parse(text) as ProtectedRecord, kept };
}

export interface KeptRecord {
  record: ProtectedRecord;
  kept: Blobs;
}

/** The copy of a file's content; null if it is missing or was tampered with. */
export async function copyOf(kept: Blobs, sha: string | undefined): Promise<Buffer | null> {
  const content = sha === undefined ? null : await kept.get(`copies/${sha}`, MOST_COPY_BYTES);
  return content && sha256(content) === sha ? content : null;
}

/** The content, if it is small enough to be kept. */
export const contentOf = (path: string): Buffer | null =>
  entryAt(path)?.isFile() ? contentAt(path, MOST_COPY_BYTES) : null;
