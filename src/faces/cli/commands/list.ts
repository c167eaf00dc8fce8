import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { type LoopView, withHolders } from "../../../engine/named.ts";
import type { Cli } from "../context.ts";
import { activityOf, agoOf, sessionWords } from "../output/phrases.ts";
import { toned } from "../views/end-lines.ts";

/** The session of a loop, or that its driver is gone; empty if a process drives it. */
function drivenWords(loop: LoopView): string {
  if (!loop.held) return " (driver gone)";
  const session = sessionWords(loop);
  return session ? ` in ${session}` : "";
}

export async function listCommand(cli: Cli, { limit, json = false }: { limit: number; json?: boolean }): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const loops = await withHolders(workspace, await workspace.store.summaries({ limit }));
    if (json) cli.printJson(loops);
    else if (loops.length === 0) cli.printLine('No loops here yet. Start one: ralph run "…" --verify "…"');
    else {
      // Shown only if a loop has criteria.
      const criteria = loops.some(({ proved }) => proved !== null);
      const rows = loops.map((loop) => [
        loop.id,
        // The reason for a wait can be long: `ralph status` shows it.
        loop.reason ? toned(loop.reason, loop.reason) : `${activityOf({ ...loop, detail: "" })}${drivenWords(loop)}`,
        `${loop.iteration}/${loop.maxIterations ?? "∞"}`,
        ...(criteria ? [loop.proved ? `${loop.proved.proved}/${loop.proved.of}` : ""] : []),
        agoOf(loop.createdAtMs),
        printable(loop.title),
      ]);
      const heads = ["LOOP", "STATUS", "ITERATION", ...(criteria ? ["PROVED"] : []), "STARTED", "TASK"];
      cli.printTable([heads, ...rows]);
    }
  });
}
