import { EXIT } from "../../core/errors.ts";
import { workflowNamed } from "../../wire/workflow/files.ts";
import { printJson } from "../print.ts";

/** `ralph workflow show`. */
export async function workflowShowCommand(name: string, _options: { json?: boolean }): Promise<number> {
  printJson(await workflowNamed(process.cwd(), name));
  return EXIT.verified;
}
