import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import type { Cli } from "../context.ts";

/*
 * Ids of loops, tasks and runs for completion scripts, each with a description after a tab.
 * Loops and runs are listed newest first.
 */
const MOST_RECENT = 50;
const MOST_TASKS = 200;

export const loopIdsCommand = (cli: Cli): Promise<void> =>
  inWorkspace({ cwd: cli.cwd() }, async ({ store }) =>
    printIds(cli, "loop", await store.summaries({ limit: MOST_RECENT })),
  );

export const runIdsCommand = (cli: Cli): Promise<void> =>
  inWorkspace({ cwd: cli.cwd() }, async ({ runs }) => {
    const listed = await runs.list({ limit: MOST_RECENT });
    const described = listed.map(({ id, workflow, message }) => ({ id, title: `${workflow} ${message}`.trim() }));
    printIds(cli, "run", described);
  });

export const taskIdsCommand = (cli: Cli): Promise<void> =>
  inWorkspace({ cwd: cli.cwd() }, async ({ tasks }) => printIds(cli, null, await tasks.list({ limit: MOST_TASKS })));

function printIds(cli: Cli, newest: "loop" | "run" | null, found: readonly { id: string; title: string }[]): void {
  if (newest !== null && found.length > 0) cli.printLine(`last\tthe newest ${newest}`);
  if (found.length > 0) cli.printLine(found.map(({ id, title }) => `${id}\t${printable(title)}`).join("\n"));
}
