import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf, RalphError } from "../../../../core/errors.ts";
import { WORKFLOW_FOLDERS } from "../../../../doors/workflow/file/folders.ts";
import type { DoctorFinding } from "./finding.ts";

const NAME = "workflows";

/** Whether the workflows of a folder are well written; nothing where there are none. What reads them is loaded only then. */
export async function workflowFindings(cwd: string): Promise<DoctorFinding[]> {
  if (!WORKFLOW_FOLDERS.some((folder) => existsSync(join(cwd, folder)))) return [];
  const { loadWorkflows } = await import("../../../../doors/workflow/file/files.ts");
  try {
    const { workflows, faulty } = await loadWorkflows(cwd);
    const names = workflows.map(({ name }) => name).join(", ") || "none";
    if (faulty.length === 0) return [{ name: NAME, is: "ok", says: names }];
    const files = faulty.map(({ file }) => file).join(", ");
    const hint = "`ralph workflow validate` shows what is wrong, and how to fix it";
    return [{ name: NAME, is: "warning", says: `${names}; with faults: ${files}`, hint }];
  } catch (error) {
    const hint = error instanceof RalphError ? error.hint : undefined;
    return [{ name: NAME, is: "warning", says: messageOf(error), ...(hint === undefined ? {} : { hint }) }];
  }
}
