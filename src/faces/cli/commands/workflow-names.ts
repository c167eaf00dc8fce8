import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { loadWorkflows } from "../../../doors/workflow/file/files.ts";
import { printLine } from "../print.ts";

/** What completion offers where a workflow is named: names, each with the first line of what it is after a tab. */
export async function workflowNamesCommand(): Promise<number> {
  const { workflows } = await loadWorkflows(process.cwd());
  for (const { name, description } of workflows) {
    printLine(`${printable(name)}\t${printable(description.trim().split("\n")[0] ?? "")}`);
  }
  return EXIT.verified;
}
