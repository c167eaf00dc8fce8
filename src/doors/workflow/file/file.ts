import { resolve } from "node:path";
import { placedYaml } from "../../../adapters/io/yaml-document.ts";
import { keyName } from "../../../core/complaints.ts";
import type { FaultyFile, WorkflowFault } from "../../../core/workflow/fault.ts";
import type { Workflow } from "../../../core/workflow/workflow.ts";
import { readInside, seenFrom } from "./checked-file.ts";
import type { CommandText } from "./prompt-source.ts";
import { readWorkflow } from "./read.ts";
import { yamlFaults } from "./yaml-faults.ts";

/** Far more than people write. */
const MOST_BYTES = 128 * 1024;

/** A workflow's file that was read. */
export type FileRead =
  | { workflow: Workflow; namePlace: { line: number; column: number }; faulty: null }
  | { faulty: FaultyFile };

interface WantedFile {
  path: string;
  cwd: string;
  /** The folder that links must not lead out of; null: they may lead anywhere. */
  root: string | null;
  command: CommandText;
}

/** Reads one workflow's file. Whatever is wrong with it is a value, at its place. */
export function readWorkflowFile({ path, cwd, root, command }: WantedFile): FileRead {
  const file = seenFrom(cwd, resolve(cwd, path));
  const read = readInside(resolve(cwd, path), root, MOST_BYTES);
  if (read.what !== null) {
    return { faulty: { file, name: null, faults: [{ ...read.place, key: "", text: read.what, hint: read.hint }] } };
  }
  return readWorkflowText(read.text, { file, command });
}

/** The same for a text. */
export function readWorkflowText(source: string, { file, command }: { file: string; command: CommandText }): FileRead {
  const yaml = placedYaml(source.replace(/^\uFEFF/, ""));
  if (yaml.flaws) {
    return { faulty: { file, name: null, faults: ordered(yamlFaults(yaml.flaws)) } };
  }
  const { places } = yaml;
  const read = readWorkflow(yaml.value, { file, command });
  if (read.workflow) return { workflow: read.workflow, namePlace: places(["name"], "value"), faulty: null };
  const faults = read.faults.slice(0, MOST_PLACED).map(({ path, at, text, hint }) => ({
    ...places(path, at),
    key: keyName(path),
    text,
    hint,
  }));
  return { faulty: { file, name: read.name, faults: ordered(faults) } };
}

/** Many faults of one file have few causes: those after the first ones would only be scrolled past. */
const MOST_FAULTS = 50;
/** Looking for a place takes the longer the more there is in the file. */
const MOST_PLACED = 200;

/** In the order of the file, and each once. */
const ordered = (faults: readonly WorkflowFault[]): WorkflowFault[] =>
  [...new Map(faults.map((fault) => [`${fault.line}:${fault.column} ${fault.text}`, fault])).values()]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, MOST_FAULTS);
