import { EXIT } from "../../../core/errors.ts";
import { workflowNamed } from "../../../doors/workflow/file/files.ts";
import { printJson, printLine } from "../print.ts";
import { workflowLines } from "../workflow-lines.ts";

/** `ralph workflow show`. */
export async function workflowShowCommand(name: string, { json = false }: { json?: boolean }): Promise<number> {
  const workflow = await workflowNamed(process.cwd(), name);
  if (json) printJson(workflow);
  else printLine(workflowLines(workflow).join("\n"));
  return EXIT.verified;
}
