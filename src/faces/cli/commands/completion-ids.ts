import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import type { CliContext } from "../context.ts";
import { inWorkspace } from "../in-workspace.ts";

/*
 * What completion scripts offer where a loop, task or run is named: ids, each with a description after a tab.
 * Loops and runs begin with the newest.
 */
const MOST_RECENT = 50;
const MOST_TASKS = 200;

/** Prints the ids of loops. */
export const loopIdsCommand = (cli: CliContext): Promise<number> =>
  inWorkspace(cli, async ({ store }) => {
    const loops = await store.summaries({ limit: MOST_RECENT });
    return printIds(
      cli,
      "loop",
      loops.map(({ id, title }) => [id, title]),
    );
  });

/** Prints the ids of runs. */
export const runIdsCommand = (cli: CliContext): Promise<number> =>
  inWorkspace(cli, async ({ runs }) => {
    const listed = await runs.list({ limit: MOST_RECENT });
    return printIds(
      cli,
      "run",
      listed.map(({ id, workflow, message }) => [id, `${workflow} ${message}`.trim()]),
    );
  });

/** Prints the ids of tasks. */
export const taskIdsCommand = (cli: CliContext): Promise<number> =>
  inWorkspace(cli, async ({ tasks }) => {
    const listed = await tasks.list({ limit: MOST_TASKS });
    return printIds(
      cli,
      null,
      listed.map(({ id, title }) => [id, title]),
    );
  });

function printIds(cli: CliContext, newest: "loop" | "run" | null, ids: readonly [string, string][]): number {
  if (newest !== null && ids.length > 0) cli.printLine(`last\tthe newest ${newest}`);
  if (ids.length > 0) cli.printLine(ids.map(([id, text]) => `${id}\t${printable(text)}`).join("\n"));
  return EXIT.verified;
}
