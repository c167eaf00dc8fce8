import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { dollars } from "../../../core/usage.ts";
import { withRunHolders } from "../../../engine/named.ts";
import type { Cli, JsonOption } from "../context.ts";
import { agoOf } from "../output/phrases.ts";
import { messageWords, runCost, runPlaceWords, runStatusWords } from "../views/runs.ts";

export async function workflowRunsCommand(cli: Cli, { limit, json }: JsonOption & { limit: number }): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const runs = await withRunHolders(workspace, await workspace.runs.list({ limit })).then((all) =>
      Promise.all(all.map(async (run) => ({ ...run, costUsd: await runCost(workspace, run) }))),
    );
    if (json) cli.printJson(runs);
    else if (runs.length === 0) {
      cli.printLine('No workflow has run here yet. Start one: ralph workflow run <name> "…" (ralph workflow list)');
    } else {
      const rows = runs.map((run) => [
        run.id,
        printable(run.workflow),
        runStatusWords(run),
        runPlaceWords(run),
        dollars(run.costUsd),
        agoOf(run.createdAtMs),
        messageWords(run),
      ]);
      cli.printTable([["RUN", "WORKFLOW", "STATUS", "AT", "COST", "STARTED", "MESSAGE"], ...rows]);
    }
  });
}
