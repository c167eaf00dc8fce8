import type { Workspace } from "../../adapters/store/workspace.ts";
import { RalphError } from "../../core/errors.ts";
import type { StopReason } from "../../core/loop/events.ts";
import { exitCodeOf } from "../../core/loop/words.ts";
import { stopControl } from "../../engine/stop-control.ts";
import type { Driving, LoopRun } from "../../runtime/run-loop.ts";
import { type Console, type OutputOptions, openConsole } from "./console.ts";
import { staySmall } from "./memory.ts";
import { catchSignals } from "./signals.ts";

/** Drives a loop in front of a person or a script until it stops, then closes the workspace; returns the exit code. */
export async function followLoop(
  workspace: Workspace,
  output: OutputOptions,
  begin: (driving: Driving) => Promise<LoopRun>,
): Promise<number> {
  staySmall();
  const stops = stopControl();
  const screen = openConsole(output);
  const release = catchSignals(stops, screen.answer);
  try {
    const run = await begin({ workspace, stops, view: screen.view });
    screen.begin(run);
    return exitCodeOf(await followEntries(run, screen), run.spec.strict);
  } finally {
    screen.close();
    release();
    workspace.store.close();
  }
}

async function followEntries(run: LoopRun, screen: Console): Promise<StopReason> {
  try {
    while (true) {
      const next = await run.changes.next();
      if (next.done) return screen.end(run, next.value);
      screen.entry(next.value);
    }
  } catch (error) {
    throw error instanceof RalphError ? resumable(error, run.id) : error;
  }
}

/** An error in the middle of a loop loses nothing: its hint says how to go on once it is mended. */
function resumable({ code, message, hint, exitCode, cause }: RalphError, id: string): RalphError {
  const goOn = `\`ralph resume ${id}\` goes on`;
  const mended = !hint ? goOn : hint.includes("ralph resume") ? hint : `${hint}; then ${goOn}`;
  return new RalphError(code, message, { hint: mended, exitCode, cause });
}
