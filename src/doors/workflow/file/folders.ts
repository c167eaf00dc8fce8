import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { foldersAbove } from "../../../adapters/io/checkout.ts";
import { RalphError } from "../../../core/errors.ts";
import { entriesOf, isFolderEntry } from "./checked-file.ts";

/** The folders of workflows; the first one takes precedence. */
export const WORKFLOW_FOLDERS = [".ralph/workflows", ".archon/workflows"] as const;
export type WorkflowFolder = (typeof WORKFLOW_FOLDERS)[number];

/** Archon keeps test fixtures there, which are not workflows. */
const NO_WORKFLOWS = new Set(["fixtures"]);
const MOST_FILES = 500;

interface FolderFiles {
  /** Relative to the working directory. */
  files: string[];
  unreadable: { folder: string; why: string }[];
  /** How many files exceed the limit and are not read. */
  leftOut: number;
}

/** The workflow files of a folder. Archon also searches direct subfolders. */
export function workflowFiles(cwd: string, folder: WorkflowFolder): FolderFiles {
  const files: string[] = [];
  const unreadable: FolderFiles["unreadable"] = [];
  const look = (at: string, deeper: boolean): void => {
    const { entries, why } = entriesOf(join(cwd, at));
    if (why !== null) unreadable.push({ folder: at, why });
    for (const entry of entries) {
      const path = `${at}/${entry.name}`;
      if (/\.ya?ml$/i.test(entry.name)) files.push(path);
      else if (deeper && !NO_WORKFLOWS.has(entry.name) && isFolderEntry(join(cwd, at), entry)) look(path, false);
    }
  };
  look(folder, folder === ".archon/workflows");
  return { files: files.slice(0, MOST_FILES), unreadable, leftOut: Math.max(0, files.length - MOST_FILES) };
}

/** Refuses to ignore workflows of the repository that are in a folder above. */
export function refuseElsewhere(cwd: string): void {
  const has = (at: string) => WORKFLOW_FOLDERS.find((folder) => existsSync(join(at, folder)));
  if (has(cwd) !== undefined) return;
  for (const at of foldersAbove(cwd)) {
    const folder = has(at);
    if (folder === undefined) continue;
    throw new RalphError("workflows-elsewhere", `the workflows of this repository are in ${join(at, folder)}`, {
      hint: `run ralph in ${relative(cwd, at)}: workflows belong to the folder that they work in`,
    });
  }
}
