import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { printLine } from "../print.ts";

const MOST = 200;

/** What completion offers where a task is named: ids, each with its title after a tab. */
export async function taskIdsCommand(): Promise<number> {
  const { store, tasks } = await openWorkspace(process.cwd());
  try {
    const listed = await tasks.list({ limit: MOST });
    if (listed.length > 0) printLine(listed.map(({ id, title }) => `${id}\t${printable(title)}`).join("\n"));
    return EXIT.verified;
  } finally {
    store.close();
  }
}
