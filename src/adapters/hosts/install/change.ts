import { existsSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { RalphError } from "../../../core/errors.ts";
import { fileError, makeFolder } from "../../io/folder.ts";
import { replaceFile } from "../../io/replace-file.ts";
import type { FoundFile } from "./found-file.ts";
import { dropRecord, type InstallRecord, keepRecord } from "./record.ts";

export type ChangeResult = "made" | "changed" | "unchanged" | "removed" | "restored" | "kept";

/** What is to become of a file, worked out before anything is written. */
export interface Change {
  seen: FoundFile;
  did: ChangeResult;
  /** Its new content; null: it is removed. Meaningless where nothing is to be done. */
  after: Buffer | null;
  /** What is to be remembered of it; null: nothing any more. */
  record: InstallRecord | null;
  /** Where another file in its place is moved first. */
  aside: string | null;
}

export interface Done {
  path: string;
  did: ChangeResult;
  kept?: string;
}

/** Writes down how everything was, then makes the changes. Cut short anywhere, the same again finishes it. */
export function applyChanges(changes: readonly Change[]): Done[] {
  for (const { record } of changes) if (record) keepRecord(record);
  const done = changes.map((change) => {
    try {
      return performed(change);
    } catch (error) {
      const { code, message } = fileError(error, change.seen.path);
      throw new RalphError(code, message, { hint: "make that possible, then run it again to finish", cause: error });
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
    // What is put aside takes its link with it: the new file is one of its own.
    replaceFile(aside === null ? real : path, after, aside === null ? mode : undefined);
  }
  return { path, did, ...(aside === null ? {} : { kept: aside }) };
}

/** The file that was put aside goes back as it was, where it still is what it was. */
function putBack(path: string, original: Buffer): boolean {
  const aside = asideOf(path);
  if (!existsSync(aside) || !readFileSync(aside).equals(original)) return false;
  renameSync(aside, path);
  return true;
}

export const asideOf = (path: string): string => `${path}.bak`;

/** Folders go, the innermost first, where nothing is in them any more. */
export function removeEmpty(folders: Iterable<string>): void {
  for (const folder of [...new Set(folders)].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // It is not empty, or does not exist: either way it stays so.
    }
  }
}
