import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { printLine } from "../print.ts";

const MOST = 50;

/** What completion offers where a loop is named: ids, newest first, each with its task after a tab. */
export async function loopIdsCommand(): Promise<number> {
  const { store } = await openWorkspace(process.cwd());
  try {
    const loops = await store.summaries({ limit: MOST });
    if (loops.length > 0) printLine("last\tthe newest loop");
    for (const { id, title } of loops) printLine(`${id}\t${printable(title)}`);
    return EXIT.verified;
  } finally {
    store.close();
  }
}
