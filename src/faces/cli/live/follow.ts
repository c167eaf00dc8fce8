import { withHolders } from "../../../adapters/store/named.ts";
import type { Workspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import type { StopReason } from "../../../core/loop/events.ts";
import { exitCodeOf } from "../../../core/loop/words.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import { followChanges } from "../../../runtime/part-loop.ts";
import type { Driving, LoopRun } from "../../../runtime/run-loop.ts";
import type { Cli } from "../context.ts";
import { paint } from "../output/paint.ts";
import { type Console, type OutputOptions, openConsole } from "./console.ts";
import { catchSignals, staySmall } from "./process.ts";

/** Drives a loop and prints it until it stops; returns the exit code. */
export async function followLoop(
  cli: Cli,
  workspace: Workspace,
  output: OutputOptions,
  begin: (driving: Driving) => Promise<LoopRun>,
): Promise<number> {
  staySmall();
  const stops = stopControl();
  const screen = openConsole(cli, output);
  const release = catchSignals(cli, stops, screen.answer);
  try {
    const run = await begin({ workspace, stops, view: screen.view });
    screen.begin(run);
    return exitCodeOf(await followEntries(run, screen), run.spec.strict);
  } finally {
    screen.close();
    release();
  }
}

async function followEntries(run: LoopRun, screen: Console): Promise<StopReason> {
  try {
    return screen.end(run, await followChanges(run, screen.entry));
  } catch (error) {
    throw error instanceof RalphError ? resumable(error, `ralph resume ${run.id}`, "ralph resume") : error;
  }
}

/** Adds to an error how to resume, unless its hint already contains `names`. */
export function resumable({ code, message, hint, exitCode, cause }: RalphError, command: string, names: string) {
  const resume = `\`${command}\` resumes it`;
  const advice = !hint ? resume : hint.includes(names) ? hint : `${hint}; then ${resume}`;
  return new RalphError(code, message, { hint: advice, exitCode, cause });
}

/** Enough to find one that is running. */
const LOOKED_AT = 20;

/** Warns about running loops in the same folder, because their agents change the same files. */
export async function warnOfNeighbours(cli: Cli, workspace: Workspace, cwd: string): Promise<void> {
  const active = await workspace.store.summaries({ active: true, limit: LOOKED_AT });
  const here = active.filter((loop) => loop.cwd === cwd);
  for (const { id, held } of await withHolders(workspace, here)) {
    if (held)
      cli.report(
        paint("yellow", `! loop ${id} is also running in this folder (ralph status ${id}, ralph cancel ${id})`),
      );
  }
}
