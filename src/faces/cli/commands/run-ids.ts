import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import type { CliContext } from "../context.ts";
import { inWorkspace } from "../in-workspace.ts";

const MOST = 50;

/** What completion offers where a run is named: ids, newest first, each with its workflow after a tab. */
export async function runIdsCommand(cli: CliContext): Promise<number> {
  return inWorkspace(cli, async ({ runs }) => {
    const listed = await runs.list({ limit: MOST });
    if (listed.length > 0) cli.printLine("last\tthe newest run");
    for (const { id, workflow, message } of listed)
      cli.printLine(`${id}\t${printable(`${workflow} ${message}`.trim())}`);
    return EXIT.verified;
  });
}
