import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { printLine } from "../print.ts";

const MOST = 50;

/** What completion offers where a run is named: ids, newest first, each with its workflow after a tab. */
export async function runIdsCommand(): Promise<number> {
  const { store, runs } = await openWorkspace(process.cwd());
  try {
    const listed = await runs.list({ limit: MOST });
    if (listed.length > 0) printLine("last\tthe newest run");
    for (const { id, workflow, message } of listed) printLine(`${id}\t${printable(`${workflow} ${message}`.trim())}`);
    return EXIT.verified;
  } finally {
    store.close();
  }
}
