import { EXIT } from "../../core/errors.ts";
import { loadWorkflows } from "../../wire/workflow/files.ts";
import { printJson } from "../print.ts";

/** `ralph workflow validate`. */
export async function workflowValidateCommand(
  _files: readonly string[],
  _options: { json?: boolean },
): Promise<number> {
  const { faulty } = await loadWorkflows(process.cwd());
  printJson(faulty);
  return faulty.length > 0 ? EXIT.stopped : EXIT.verified;
}
