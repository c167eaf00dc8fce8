import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import type { CliContext } from "../context.ts";
import { inWorkspace } from "../in-workspace.ts";

const MOST = 200;

/** What completion offers where a task is named: ids, each with its title after a tab. */
export async function taskIdsCommand(cli: CliContext): Promise<number> {
  return inWorkspace(cli, async ({ tasks }) => {
    const listed = await tasks.list({ limit: MOST });
    if (listed.length > 0) cli.printLine(listed.map(({ id, title }) => `${id}\t${printable(title)}`).join("\n"));
    return EXIT.verified;
  });
}
