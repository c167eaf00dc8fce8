import { EXIT } from "../../../core/errors.ts";
import { workflowNamed } from "../../../doors/workflow/file/files.ts";
import type { CliContext } from "../context.ts";
import { workflowLines } from "../views/workflow-lines.ts";

/** `ralph workflow show`. */
export async function workflowShowCommand(
  cli: CliContext,
  name: string,
  { json = false }: { json?: boolean },
): Promise<number> {
  const workflow = await workflowNamed(cli.cwd(), name);
  if (json) cli.printJson(workflow);
  else cli.printLine(workflowLines(workflow).join("\n"));
  return EXIT.verified;
}
