import { statSync } from "node:fs";
import { resolve } from "node:path";
import { RalphError } from "../../../core/errors.ts";
import type { FaultyFile } from "../../../core/workflow/fault.ts";
import { commandTextsIn } from "./commands.ts";
import { type FileRead, readWorkflowFile } from "./file.ts";
import { loadWorkflows } from "./files.ts";
import { unfilledNames } from "./unfilled-names.ts";

export interface ValidatedFile extends Pick<FaultyFile, "file" | "name" | "faults"> {
  valid: boolean;
}

interface Validated {
  files: ValidatedFile[];
  notes: readonly string[];
}

/** Validates these files, or all workflows of the folder. Throws if a path is not a file. */
export async function validateWorkflows(cwd: string, paths: readonly string[]): Promise<Validated> {
  if (paths.length === 0) return validateAll(cwd);
  for (const path of paths) requireFile(cwd, path);
  const command = commandTextsIn(cwd);
  const read = paths.map((path) => readWorkflowFile({ path, cwd, root: null, command }));
  const notes = read.flatMap((one) => (one.faulty ? [] : unfilledNames(one.workflow)));
  return { files: read.map(validatedOf), notes };
}

async function validateAll(cwd: string): Promise<Validated> {
  const { workflows, faulty, notes } = await loadWorkflows(cwd);
  const files = [
    ...workflows.map(({ file, name }) => ({ file, name, faults: [], valid: true })),
    ...faulty.map((one) => ({ ...one, valid: false })),
  ];
  return { files: files.sort((a, b) => (a.file < b.file ? -1 : 1)), notes };
}

function validatedOf(read: FileRead): ValidatedFile {
  if (read.faulty) return { ...read.faulty, valid: false };
  const { file, name } = read.workflow;
  return { file, name, faults: [], valid: true };
}

function requireFile(cwd: string, path: string): void {
  const hint = "name a YAML file, or none for all workflows of this repository";
  const found = statSync(resolve(cwd, path), { throwIfNoEntry: false });
  if (!found) throw new RalphError("file-missing", `there is no file ${path}`, { hint });
  if (found.isDirectory()) throw new RalphError("file-is-folder", `${path} is a folder`, { hint });
}
