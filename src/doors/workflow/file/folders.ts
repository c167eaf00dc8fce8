import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { RalphError } from "../../../core/errors.ts";
import { entriesOf, isFolderEntry } from "./checked-file.ts";

/** Where workflows are, the stronger first. */
export const WORKFLOW_FOLDERS = [".ralph/workflows", ".archon/workflows"] as const;
export type WorkflowFolder = (typeof WORKFLOW_FOLDERS)[number];

/** Archon keeps fixtures of tests there, which are no workflows. */
const NO_WORKFLOWS = new Set(["fixtures"]);
const MOST_FILES = 500;

interface FolderFiles {
  /** Seen from the working directory. */
  files: string[];
  unreadable: { folder: string; why: string }[];
  /** How many files are left out, as there are too many. */
  leftOut: number;
}

/** The files of a folder that are to be workflows. Archon looks one folder deep, too. */
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

/** Workflows of the repository that do not reach this folder must not be passed over in silence. */
export function refuseElsewhere(cwd: string): void {
  const has = (at: string) => WORKFLOW_FOLDERS.find((folder) => existsSync(join(at, folder)));
  if (has(cwd) !== undefined) return;
  for (let at = cwd; !existsSync(join(at, ".git")) && dirname(at) !== at; ) {
    at = dirname(at);
    const folder = has(at);
    if (folder === undefined) continue;
    throw new RalphError("workflows-elsewhere", `the workflows of this repository are in ${join(at, folder)}`, {
      hint: `run ralph in ${relative(cwd, at)}: workflows belong to the folder that they work in`,
    });
  }
}
