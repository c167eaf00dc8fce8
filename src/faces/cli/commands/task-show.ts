import { EXIT } from "../../../core/errors.ts";
import { taskPage, viewTask } from "../../../doors/pipeline/tasks/task-view.ts";
import type { CliContext } from "../context.ts";
import { inWorkspace } from "../in-workspace.ts";
import { taskLines } from "../views/task-lines.ts";

/** `ralph task show`. */
export async function taskShowCommand(
  cli: CliContext,
  id: string,
  { json = false }: { json?: boolean },
): Promise<number> {
  return inWorkspace(cli, async (workspace) => {
    const view = await viewTask(workspace, id);
    if (json) cli.printJson(taskPage(view));
    else cli.printWords(taskLines(view).join("\n"));
    return EXIT.verified;
  });
}
