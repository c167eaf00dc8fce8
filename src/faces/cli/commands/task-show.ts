import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT } from "../../../core/errors.ts";
import { taskPage, viewTask } from "../../../doors/pipeline/tasks/task-view.ts";
import { printJson, printWords } from "../print.ts";
import { taskLines } from "../task-lines.ts";

/** `ralph task show`. */
export async function taskShowCommand(id: string, { json = false }: { json?: boolean }): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    const view = await viewTask(workspace, id);
    if (json) printJson(taskPage(view));
    else printWords(taskLines(view).join("\n"));
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}
