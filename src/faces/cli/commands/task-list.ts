import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { summaryDocument } from "../../../core/task/document.ts";
import type { TaskFilter, TaskSummary } from "../../../core/task/store.ts";
import { isBegun } from "../../../core/task/task.ts";
import { requireSpec } from "../../../engine/named.ts";
import type { Cli } from "../context.ts";
import { toned } from "../views/end-lines.ts";

interface ListOptions extends TaskFilter {
  limit: number;
  json?: boolean;
}

export async function taskListCommand(cli: Cli, { limit, json = false, ...filter }: ListOptions): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async ({ tasks }) => {
    // One more than shown, to know whether there are more.
    const found = await tasks.list({ ...filter, limit: limit + 1 });
    const shown = found.slice(0, limit);
    if (found.length === 0 && filter.spec !== undefined) await requireSpec(tasks, filter.spec);
    if (json) cli.printJson(shown.map(summaryDocument));
    else if (shown.length === 0) cli.printLine(emptyWords(filter));
    else {
      const rows = shown.map((task) => [
        task.id,
        statusWords(task),
        String(task.priority),
        task.specId,
        printable(task.title),
      ]);
      cli.printTable([["TASK", "STATUS", "PRIORITY", "SPEC", "TITLE"], ...rows]);
      if (found.length > limit) cli.printLine(`… and more: ralph task list -n ${limit * 2}`);
    }
  });
}

function statusWords({ status, held, iteration, proof }: TaskSummary): string {
  if (held) return `${status} (held)`;
  if (status === "done" && proof) return toned(proof, `${status}, ${proof}`);
  const working = isBegun({ status });
  return working && iteration > 0 ? `${status}, iteration ${iteration}` : status;
}

function emptyWords({ spec, status, ready }: TaskFilter): string {
  if (spec === undefined && status === undefined && !ready) {
    return 'No tasks here yet. Create one: ralph task add "…" --verify "npm test"';
  }
  return "No such tasks. `ralph task list` shows them all.";
}
