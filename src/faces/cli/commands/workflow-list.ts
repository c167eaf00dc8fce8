import { printable } from "../../../core/ansi.ts";
import type { FaultyFile } from "../../../core/workflow/fault.ts";
import type { Workflow } from "../../../core/workflow/workflow.ts";
import { loadWorkflows, workflowNamed } from "../../../doors/workflow/file/files.ts";
import type { Cli, JsonOption } from "../context.ts";
import { workflowLines } from "../views/workflow-lines.ts";

export async function workflowListCommand(cli: Cli, { json = false }: JsonOption): Promise<void> {
  const { workflows, faulty, notes } = await loadWorkflows(cli.cwd());
  if (json) return cli.printJson({ workflows: workflows.map(summaryOf), faulty, notes });
  if (workflows.length > 0) cli.printTable([HEADINGS, ...workflows.map(rowOf)], HEADINGS.indexOf("DESCRIPTION"));
  else cli.printWords(faulty.length > 0 ? "No workflow here is valid." : NONE);
  for (const note of notes) cli.printWords(`note: ${printable(note)}`);
  for (const one of faulty) cli.printWords(faultyLine(one));
  if (faulty.length > 0) cli.printWords("`ralph workflow validate` shows what is wrong, and how to fix it.");
}

const HEADINGS = ["WORKFLOW", "FORM", "DESCRIPTION", "TRIGGERS"];
const NONE = "No workflows here yet. Write one into .ralph/workflows/; docs/workflows.md shows how.";

const summaryOf = ({ name, form, description, triggers, provider, model, file, parts }: Workflow) => ({
  ...{ name, form, description, triggers, provider, model, file },
  parts: parts.map(({ name, kind }) => ({ name, kind })),
});

const rowOf = ({ name, form, description, triggers }: Workflow): string[] => [
  printable(name),
  form,
  printable(description.split("\n")[0] ?? ""),
  printable(triggers.map((phrase) => JSON.stringify(phrase)).join(", ")),
];

const faultyLine = ({ file, faults }: FaultyFile): string =>
  `faulty: ${printable(file)} (${faults.length} fault${faults.length === 1 ? "" : "s"})`;

/** Names of workflows for completion scripts, each with the first line of its description after a tab. */
export async function workflowNamesCommand(cli: Cli): Promise<void> {
  const { workflows } = await loadWorkflows(cli.cwd());
  for (const { name, description } of workflows) {
    cli.printLine(`${printable(name)}\t${printable(description.trim().split("\n")[0] ?? "")}`);
  }
}

export async function workflowShowCommand(cli: Cli, name: string, { json = false }: JsonOption): Promise<void> {
  const workflow = await workflowNamed(cli.cwd(), name);
  if (json) cli.printJson(workflow);
  else cli.printLine(workflowLines(workflow).join("\n"));
}
