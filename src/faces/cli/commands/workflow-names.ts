import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { loadWorkflows } from "../../../doors/workflow/file/files.ts";
import type { CliContext } from "../context.ts";

/** What completion offers where a workflow is named: names, each with the first line of what it is after a tab. */
export async function workflowNamesCommand(cli: CliContext): Promise<number> {
  const { workflows } = await loadWorkflows(cli.cwd());
  for (const { name, description } of workflows) {
    cli.printLine(`${printable(name)}\t${printable(description.trim().split("\n")[0] ?? "")}`);
  }
  return EXIT.verified;
}
