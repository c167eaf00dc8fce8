import { tellComplaints } from "../../../core/complaints.ts";
import { closest } from "../../../core/edit-distance.ts";
import { RalphError } from "../../../core/errors.ts";
import type { FaultyFile } from "../../../core/workflow/fault.ts";
import type { Workflow } from "../../../core/workflow/workflow.ts";
import { rootOf } from "./checked-file.ts";
import { commandTextsIn } from "./commands.ts";
import { type FileRead, readWorkflowFile } from "./file.ts";
import { refuseElsewhere, WORKFLOW_FOLDERS, type WorkflowFolder, workflowFiles } from "./folders.ts";
import { unfilledNames } from "./unfilled-names.ts";

/** The workflows of a folder. A faulty file does not hide valid ones. */
export interface LoadedWorkflows {
  workflows: readonly Workflow[];
  faulty: readonly FaultyFile[];
  /** Information for the user, such as a file that another one overrides. */
  notes: readonly string[];
}

export async function loadWorkflows(cwd: string): Promise<LoadedWorkflows> {
  refuseElsewhere(cwd);
  const taken = new Map<string, Workflow>();
  const faulty: FaultyFile[] = [];
  const notes: string[] = [];
  for (const folder of WORKFLOW_FOLDERS) {
    const { workflows, ...found } = loadFolder(cwd, folder);
    faulty.push(...found.faulty);
    notes.push(...found.notes);
    for (const [key, workflow] of workflows) {
      const stronger = taken.get(key);
      if (stronger) notes.push(`${workflow.file} is not used: ${stronger.file} also has the name ${stronger.name}`);
      else taken.set(key, workflow);
    }
    notes.push(...[...workflows.values()].flatMap(unfilledNames));
  }
  const workflows = [...taken.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { workflows, faulty, notes };
}

/** Names of workflows are case-insensitive. */
const keyOf = (name: string): string => name.toLowerCase();

function loadFolder(cwd: string, folder: WorkflowFolder) {
  const { files, unreadable, leftOut } = workflowFiles(cwd, folder);
  const workflows = new Map<string, Workflow>();
  const faulty = unreadable.map(({ folder, why }) => wholeFault(folder, `cannot be read: ${why}`, "check the folder"));
  const command = commandTextsIn(cwd);
  for (const path of files) {
    const read = readWorkflowFile({ path, cwd, root: rootOf(cwd), command });
    const refusal = read.faulty ?? nameTaken(read, workflows);
    if (refusal) faulty.push(refusal);
    else if (!read.faulty) workflows.set(keyOf(read.workflow.name), read.workflow);
  }
  const notes = leftOut > 0 ? [`${folder}: ${leftOut} more files are not read: there are too many`] : [];
  return { workflows, faulty, notes };
}

const wholeFault = (file: string, text: string, hint: string): FaultyFile => ({
  file,
  name: null,
  faults: [{ line: 1, column: 1, key: "", text, hint }],
});

/** If two files have the same name, the first one keeps it. */
function nameTaken(read: FileRead, workflows: ReadonlyMap<string, Workflow>): FaultyFile | null {
  if (read.faulty) return null;
  const { name, file } = read.workflow;
  const first = workflows.get(keyOf(name));
  if (!first) return null;
  const text = `name: ${first.file} already has the name ${first.name}`;
  return { file, name, faults: [{ ...read.namePlace, key: "name", text, hint: "give one of them another name" }] };
}

/** The workflow with that name. Throws a RalphError that lists the names, or the faults of the file. */
export async function workflowNamed(cwd: string, name: string): Promise<Workflow> {
  const { workflows, faulty } = await loadWorkflows(cwd);
  const isIt = (other: string | null) => other !== null && keyOf(other) === keyOf(name);
  const found = workflows.find((workflow) => isIt(workflow.name));
  // A faulty file in Ralph's folder is reported, even if Archon's folder has a valid one with that name.
  const broken = faulty.find((one) => isIt(one.name) && one.file !== found?.file && !sharesFolder(one, found));
  if (broken) throw refusal(broken);
  if (found) return found;
  const meant = faulty.find(({ file }) => isIt(stemOf(file)));
  if (meant) throw refusal(meant);
  const names = workflows.map((workflow) => workflow.name);
  const near = closest(name, names);
  const hint = near === null ? listed(names) : `did you mean ${near}?`;
  throw new RalphError("workflow-unknown", `there is no workflow ${JSON.stringify(name)}`, { hint });
}

/** A file that lost its name to the found one is ignored. */
const sharesFolder = (one: FaultyFile, found: Workflow | undefined): boolean =>
  found !== undefined && (folderOf(one.file) === folderOf(found.file) || found.file.startsWith(".ralph/"));
const folderOf = (file: string): string => file.slice(0, file.indexOf("/"));

const stemOf = (file: string): string => file.replace(/^.*\//, "").replace(/\.ya?ml$/i, "");

const refusal = ({ file, faults }: FaultyFile): RalphError =>
  new RalphError("workflow-invalid", tellComplaints(file, faults), {
    hint: `${faults[0]?.hint ?? ""}; \`ralph workflow validate\` shows all faults`,
  });

const listed = (names: readonly string[]): string =>
  names.length > 0
    ? `there are ${names.slice(0, 20).join(", ")}`
    : `there are none yet: write one into ${WORKFLOW_FOLDERS[0]}/, docs/workflows.md shows how`;
