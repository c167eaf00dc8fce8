import { EXIT } from "../../core/errors.ts";
import { loadWorkflows } from "../../wire/workflow/files.ts";
import { printJson } from "../print.ts";

/** `ralph workflow list`. */
export async function workflowListCommand(_options: { json?: boolean }): Promise<number> {
  printJson(await loadWorkflows(process.cwd()));
  return EXIT.verified;
}
