import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Blobs } from "../../core/blobs.ts";
import { RECORD } from "../../core/fingerprints.ts";
import type { Fingerprints } from "../../core/loop/spec.ts";
import type { LoopRole } from "../../core/task/events.ts";
import type { Inventory } from "../test-files/inventory.ts";
import { type FileState, sha256, stateDigest } from "./file-state.ts";
import type { Value } from "./values.ts";

/** All that decides completion, as it was when the loop began, or when a person last accepted it. */
export interface ProtectedRecord {
  /** What was asked to be protected, for taking it all anew. */
  protect: readonly string[];
  /** Frozen files, and files whose appearance would count. */
  files: Readonly<Record<string, FileState>>;
  values: Readonly<Record<string, Value>>;
  /** Whether hooks of the repository count; null where there is no repository to look at. */
  git: { hooks: boolean; overlooked: readonly string[] } | null;
  /** Tests that are watched; null where they may change. */
  tests: Inventory | null;
  /** Those that were there before other agents of the same run worked, where nothing was taken from them by then. */
  earlierTests?: Inventory;
  /** How many have to be left, where they may change. */
  fewestTests?: number;
  /** What only the record of a whole task has: its loops do not all protect the same. */
  task?: TaskRecord;
}

export interface TaskRecord {
  /** Files that are free where tests may change. */
  shared: readonly string[];
  /** Files that came with the work of the task itself: its coder may continue to change them. */
  made: readonly string[];
  own: Readonly<Partial<Record<LoopRole, Readonly<Record<string, FileState>>>>>;
}

/** Fingerprints go into every snapshot of the journal: what is beyond is in the record alone. */
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
  /** An earlier record, which has copies of what is no longer in the checkout as the record has it. */
  earlier?: Blobs | null;
}

/** Stores a record with copies of the files, durably, and returns what the journal keeps of it. */
export async function writeRecord(blobs: Blobs, { root, record, earlier = null }: Recorded): Promise<Fingerprints> {
  const text = JSON.stringify(record);
  const fingerprints = { ...digests(record), [RECORD]: sha256(text) };
  const kept = recordBlobs(blobs, fingerprints) ?? blobs;
  // Last: a record is there with all its copies, or not at all.
  await writeCopies(kept, root, record, earlier);
  await kept.put(RECORD_NAME, text);
  return fingerprints;
}

const RECORD_NAME = "record.json";

/** What is there, by its path: the part of a record that people want to see. */
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

/** The record that the journal speaks of; null where it is gone or no longer that one. */
export async function readRecord(blobs: Blobs, fingerprints: Fingerprints): Promise<KeptRecord | null> {
  const kept = recordBlobs(blobs, fingerprints);
  const text = (await kept?.get(RECORD_NAME))?.toString("utf8");
  // Its digest is in the journal: only Ralph has written it.
  if (!kept || text === undefined || sha256(text) !== fingerprints[RECORD]) return null;
  return { record: JSON.parse(text) as ProtectedRecord, kept };
}

export interface KeptRecord {
  record: ProtectedRecord;
  kept: Blobs;
}

/** The copy of a file's content; null where there is none, or where it was tampered with. */
export async function copyOf(kept: Blobs, sha: string | undefined): Promise<Buffer | null> {
  const content = sha === undefined ? null : await kept.get(`copies/${sha}`, MOST_COPY_BYTES);
  return content && sha256(content) === sha ? content : null;
}

/** Small enough to be kept. */
export function contentOf(path: string): Buffer | null {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= MOST_COPY_BYTES ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
