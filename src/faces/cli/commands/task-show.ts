import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { taskPage, viewTask } from "../../../doors/pipeline/tasks/task-view.ts";
import type { Cli, JsonOption } from "../context.ts";
import { taskLines } from "../views/task-lines.ts";

export async function taskShowCommand(cli: Cli, id: string, { json = false }: JsonOption): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const view = await viewTask(workspace, id);
    if (json) cli.printJson(taskPage(view));
    else cli.printWords(taskLines(view).join("\n"));
  });
}
