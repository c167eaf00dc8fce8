import { withRunHolders } from "../../../adapters/store/run-named.ts";
import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { dollars } from "../../../core/usage.ts";
import { agoOf, printJson, printLine, table } from "../print.ts";
import { messageWords, runPlaceWords, runStatusWords } from "../run-words.ts";

/** `ralph workflow runs`. */
export async function workflowRunsCommand({ limit, json = false }: { limit: number; json?: boolean }): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    const runs = await withRunHolders(workspace, await workspace.runs.list({ limit }));
    if (json) printJson(runs);
    else if (runs.length === 0) {
      printLine('No workflow has run here yet. Start one: ralph workflow run <name> "…" (ralph workflow list)');
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
      printLine(table([["RUN", "WORKFLOW", "STATUS", "AT", "COST", "STARTED", "MESSAGE"], ...rows]));
    }
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}
