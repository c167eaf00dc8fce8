import { withHolders } from "../../../adapters/store/named.ts";
import type { Workspace } from "../../../adapters/store/workspace.ts";
import type { CliContext } from "../context.ts";
import { paint } from "../output/paint.ts";

/** Enough to find one that is at work. */
const LOOKED_AT = 20;

/** Warns about loops at work in the same folder, since their agents change the same files. */
export async function warnOfNeighbours(cli: CliContext, workspace: Workspace, cwd: string): Promise<void> {
  const active = await workspace.store.summaries({ active: true, limit: LOOKED_AT });
  const here = active.filter((loop) => loop.cwd === cwd);
  for (const { id, held } of await withHolders(workspace, here)) {
    if (held)
      cli.report(
        paint("yellow", `! loop ${id} is at work in this folder too (ralph status ${id}, ralph cancel ${id})`),
      );
  }
}
