import { printable } from "../../core/ansi.ts";
import { EXIT } from "../../core/errors.ts";
import { openWorkspace } from "../../wire/workspace.ts";
import { printLine } from "../print.ts";

const MOST = 200;

/** What completion offers where a task is named: ids, each with its title after a tab. */
export async function taskIdsCommand(): Promise<number> {
  const { store, tasks } = await openWorkspace(process.cwd());
  try {
    for (const { id, title } of await tasks.list({ limit: MOST })) printLine(`${id}\t${printable(title)}`);
    return EXIT.verified;
  } finally {
    store.close();
  }
}
