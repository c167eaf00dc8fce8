import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import type { CliContext } from "../context.ts";
import { inWorkspace } from "../in-workspace.ts";

const MOST = 50;

/** What completion offers where a loop is named: ids, newest first, each with its task after a tab. */
export async function loopIdsCommand(cli: CliContext): Promise<number> {
  return inWorkspace(cli, async ({ store }) => {
    const loops = await store.summaries({ limit: MOST });
    if (loops.length > 0) cli.printLine("last\tthe newest loop");
    for (const { id, title } of loops) cli.printLine(`${id}\t${printable(title)}`);
    return EXIT.verified;
  });
}
