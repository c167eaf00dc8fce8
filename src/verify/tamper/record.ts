import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileError, makeFolder } from "../../adapters/io/folder.ts";
import { RECORD } from "../../core/fingerprints.ts";
import type { Fingerprints } from "../../core/loop/spec.ts";
import type { LoopRole } from "../../core/task/events.ts";
import type { Inventory } from "../tests/inventory.ts";
import { type FileState, sha256, stateDigest } from "./file-state.ts";
import type { Value } from "./values.ts";

/** All that decides completion, as it was when the loop began, or when a person last accepted it. */
export interface ProtectedRecord {
  /** What was asked to be protected, for taking it all anew. */
  protect: readonly string[];
  /** Frozen files, and files whose appearance would count. */
  files: Readonly<Record<string, FileState>>;
  /** Single values by their key. */
  values: Readonly<Record<string, Value>>;
  /** Whether hooks of the repository count; null where there is no repository to look at. */
  git: { hooks: boolean; overlooked: readonly string[] } | null;
  /** Tests that are watched; null where they may change. */
  tests: Inventory | null;
  /** Those that were there before other agents of the same run worked, where nothing was taken from them by then. */
  earlierTests?: Inventory;
  /** How many have to be left, where they may change. */
  fewestTests?: number;
  /** What the record of a whole task holds beside: its loops do not all protect the same. */
  task?: TaskRecord;
}

/** What only some of a task's loops protect. */
export interface TaskRecord {
  /** Files that are free where tests may change. */
  shared: readonly string[];
  /** Files that came with the work of the task itself: its coder may go on with them. */
  made: readonly string[];
  /** Files that a single stage protects. */
  own: Readonly<Partial<Record<LoopRole, Readonly<Record<string, FileState>>>>>;
}

/** Fingerprints go into every snapshot of the journal: what is beyond is in the record alone. */
const MOST_FINGERPRINTS = 300;
const MOST_COPY_BYTES = 1 << 20;
const MOST_COPIES_BYTES = 64 << 20;

/** Where a loop's record is kept, in its folder of the state folder; null where it has none. */
export function recordFolder(loopFolder: string, fingerprints: Fingerprints): string | null {
  const digest = fingerprints[RECORD];
  return digest === undefined ? null : join(loopFolder, `protected-${digest.slice(0, 16)}`);
}

/**
 * Writes a record down with copies of the files, and returns what the journal keeps of it. What is no longer in the
 * checkout as the record has it is copied from `earlier`, the folder of a record that has it.
 */
export function writeRecord(
  loopFolder: string,
  root: string,
  record: ProtectedRecord,
  earlier: string | null = null,
): Fingerprints {
  const text = JSON.stringify(record);
  const fingerprints = { ...digests(record), [RECORD]: sha256(text) };
  const folder = recordFolder(loopFolder, fingerprints) ?? loopFolder;
  try {
    makeFolder(loopFolder);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "copies"), { recursive: true });
    writeFileSync(join(folder, "record.json"), text);
    writeCopies(folder, root, record, earlier);
  } catch (error) {
    throw fileError(error, folder);
  }
  return fingerprints;
}

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

function writeCopies(folder: string, root: string, { files, task }: ProtectedRecord, earlier: string | null): void {
  let room = MOST_COPIES_BYTES;
  const states = [files, ...Object.values(task?.own ?? {})].flatMap((some) => Object.entries(some));
  for (const [path, { is, sha }] of states) {
    if (is !== "file" || sha === undefined) continue;
    const here = contentOf(join(root, path));
    const content = here && sha256(here) === sha ? here : earlier && copyOf(earlier, sha);
    if (!content || content.length > room) continue;
    writeFileSync(join(folder, "copies", sha), content);
    room -= content.length;
  }
}

/** The record that the journal speaks of; null where it is gone or no longer that one. */
export function readRecord(folder: string, fingerprints: Fingerprints): ProtectedRecord | null {
  try {
    const text = readFileSync(join(folder, "record.json"), "utf8");
    // Its digest is in the journal: nobody but us has written it.
    return sha256(text) === fingerprints[RECORD] ? (JSON.parse(text) as ProtectedRecord) : null;
  } catch {
    return null;
  }
}

/** The copy of a file's content; null where there is none, or where it was tampered with. */
export function copyOf(folder: string, sha: string | undefined): Buffer | null {
  const content = sha === undefined ? null : contentOf(join(folder, "copies", sha));
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
