import { printable } from "../../core/ansi.ts";
import { EXIT } from "../../core/errors.ts";
import { withHolders } from "../../wire/views.ts";
import { openWorkspace } from "../../wire/workspace.ts";
import { agoOf, printJson, printLine, table } from "../print.ts";
import { activityOf } from "../words.ts";

/** `ralph list`. */
export async function listCommand({ limit, json = false }: { limit: number; json?: boolean }): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    const loops = await withHolders(workspace, await workspace.store.summaries({ limit }));
    if (json) printJson(loops);
    else if (loops.length === 0) printLine('No loops here yet. Start one: ralph run --prompt "…" --verify "…"');
    else {
      const rows = loops.map((loop) => [
        loop.id,
        // Why a loop waits can be a long story, which `ralph status` tells.
        loop.reason ?? `${activityOf({ ...loop, detail: "" })}${loop.held ? "" : " (driver gone)"}`,
        `${loop.iteration}/${loop.maxIterations ?? "∞"}`,
        agoOf(loop.createdAtMs),
        printable(loop.title),
      ]);
      printLine(table([["LOOP", "STATUS", "ITERATION", "STARTED", "TASK"], ...rows]));
    }
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}
