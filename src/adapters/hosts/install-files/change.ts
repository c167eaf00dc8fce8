import { existsSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { RalphError } from "../../../core/errors.ts";
import { fileError, makeFolder } from "../../io/folder.ts";
import { replaceFile } from "../../io/replace-file.ts";
import type { FoundFile } from "./found-file.ts";
import { dropRecord, type InstallRecord, keepRecord } from "./record.ts";

export type ChangeResult = "made" | "changed" | "unchanged" | "removed" | "restored" | "kept";

/** The planned change of a file, determined before anything is written. */
export interface Change {
  seen: FoundFile;
  did: ChangeResult;
  /** The new content; null to remove the file. Not used for an unchanged or kept file. */
  after: Buffer | null;
  /** The record to keep for the file, or null. */
  record: InstallRecord | null;
  /** Where another file at its path is moved first, or null. */
  aside: string | null;
}

export interface Done {
  path: string;
  did: ChangeResult;
  kept?: string;
}

/** Records the original files, then makes the changes. After an interruption, running it again finishes. */
export function applyChanges(changes: readonly Change[]): Done[] {
  for (const { record } of changes) if (record) keepRecord(record);
  const done = changes.map((change) => {
    try {
      return performed(change);
    } catch (error) {
      const { code, message } = fileError(error, change.seen.path);
      throw new RalphError(code, message, { hint: "fix that, then run it again to finish", cause: error });
    }
  });
  for (const { record, seen } of changes) if (!record) dropRecord(seen.real);
  return done;
}

function performed({ seen: { path, real, mode }, did, after, aside }: Change): Done {
  if (did === "unchanged" || did === "kept") return { path, did };
  if (after === null) rmSync(real, { force: true });
  else if (did === "restored" && putBack(path, after)) return { path, did };
  else {
    makeFolder(dirname(real));
    if (aside !== null) renameSync(path, aside);
    // A file moved aside takes its symlink along, so the new file is a regular one.
    replaceFile(aside === null ? real : path, after, aside === null ? mode : undefined);
  }
  return { path, did, ...(aside === null ? {} : { kept: aside }) };
}

/** Moves the file that was set aside back, if its content is still the original. */
function putBack(path: string, original: Buffer): boolean {
  const aside = asideOf(path);
  if (!existsSync(aside) || !readFileSync(aside).equals(original)) return false;
  renameSync(aside, path);
  return true;
}

export const asideOf = (path: string): string => `${path}.bak`;

/** Removes empty folders, innermost first. */
export function removeEmpty(folders: Iterable<string>): void {
  for (const folder of [...new Set(folders)].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // It is not empty or does not exist, and stays that way.
    }
  }
}
