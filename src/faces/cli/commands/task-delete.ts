import { inWorkspace } from "../../../adapters/store/workspace.ts";
import type { Task } from "../../../core/task/task.ts";
import { removeTask } from "../../../doors/pipeline/tasks/task-change.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import type { Cli, JsonOption } from "../context.ts";

/** `ralph task delete`: dependent tasks first, so that dependencies can be deleted together with them. */
export async function taskDeleteCommand(cli: Cli, ids: readonly string[], { json = false }: JsonOption): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const removed: string[] = [];
    refuseAgents(workspace, "ralph task delete");
    const found = await Promise.all([...new Set(ids)].map((id) => workspace.tasks.find(id)));
    for (const id of dependantsFirst(found)) {
      await removeTask(workspace, id);
      removed.push(id);
      if (!json) cli.printLine(`Deleted ${id}`);
    }
    if (json) cli.printJson({ deleted: removed });
  });
}

function dependantsFirst(tasks: readonly Task[]): Iterable<string> {
  const ordered = new Set<string>();
  const visit = (id: string): void => {
    if (ordered.has(id)) return;
    for (const task of tasks) if (task.dependencies.includes(id)) visit(task.id);
    ordered.add(id);
  };
  for (const { id } of tasks) visit(id);
  return ordered;
}
