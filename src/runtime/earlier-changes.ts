import { createHash } from "node:crypto";
import { WORK_PATHS } from "../adapters/git/commit.ts";
import {
  changedPaths,
  type FileRecord,
  readRecord,
  recordText,
  uncommittedRecord,
} from "../adapters/git/earlier-changes.ts";
import { statusOf } from "../adapters/git/status.ts";
import type { Blobs } from "../core/blobs.ts";
import { RalphError } from "../core/errors.ts";
import { type EarlierChanges, type NamedFiles, namedFiles } from "../core/loop/left-out.ts";
import type { LoopSpec } from "../core/loop/spec.ts";

const RECORD = "earlier-changes";
const MOST_FILES = 50_000;

/**
 * Records what is uncommitted before a loop that commits begins: it belongs to the user. Null if there is nothing. The
 * worktree of a task starts without changes.
 */
export async function recordEarlier(blobs: Blobs, spec: LoopSpec): Promise<EarlierChanges | null> {
  if (!leavesEarlier(spec)) return null;
  const { cwd } = spec;
  const record = await uncommittedRecord(cwd, WORK_PATHS, MOST_FILES);
  if (record === null) {
    throw new RalphError("git-unreadable", "git cannot list what is uncommitted, and scm commits must leave it alone", {
      hint: "see what `git status` says, or remove scm from the settings",
    });
  }
  if (record === "many") {
    throw new RalphError("many-uncommitted", `more than ${MOST_FILES} files are uncommitted`, {
      hint: "list generated files in .gitignore, commit the others, or commit everything with --allow-dirty",
    });
  }
  if (record.size === 0) return null;
  const text = recordText(record);
  await blobs.put(RECORD, text);
  const paths = changedPaths(record).map((bytes) => Buffer.from(bytes, "latin1").toString("utf8"));
  return { ...namedFiles(paths), digest: digestOf(text) };
}

const leavesEarlier = ({ effects, part, allowDirty = false }: LoopSpec): boolean =>
  !part && !allowDirty && effects.some(({ kind, program }) => kind === "commit" && program === "git");

/** What such a loop would leave alone if it began now; null if nothing. */
export async function earlierFiles(spec: LoopSpec): Promise<NamedFiles | null> {
  const entries = leavesEarlier(spec) ? ((await statusOf(spec.cwd, WORK_PATHS)) ?? []) : [];
  return entries.length === 0 ? null : namedFiles(entries.map(({ path }) => path));
}

/** The full record, by its digest in the journal. */
export async function earlierRecord(blobs: Blobs, { digest }: EarlierChanges): Promise<FileRecord | "lost"> {
  const text = await blobs.get(RECORD);
  return text !== null && digestOf(text) === digest ? readRecord(text) : "lost";
}

const digestOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
