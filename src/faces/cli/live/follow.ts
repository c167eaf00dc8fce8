import type { Workspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import type { StopReason } from "../../../core/loop/events.ts";
import { exitCodeOf } from "../../../core/loop/words.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import type { Driving, LoopRun } from "../../../runtime/run-loop.ts";
import type { CliContext } from "../context.ts";
import { type Console, type OutputOptions, openConsole } from "./console.ts";
import { staySmall } from "./memory.ts";
import { catchSignals } from "./signals.ts";

/** Drives a loop and prints it until it stops; returns the exit code. */
export async function followLoop(
  cli: CliContext,
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
    while (true) {
      const next = await run.changes.next();
      if (next.done) return screen.end(run, next.value);
      screen.entry(next.value);
    }
  } catch (error) {
    throw error instanceof RalphError ? resumable(error, `ralph resume ${run.id}`, "ralph resume") : error;
  }
}

/** An error while work is driven loses none of it: the hint says how to resume, unless it `names` a command itself. */
export function resumable(
  { code, message, hint, exitCode, cause }: RalphError,
  command: string,
  names: string,
): RalphError {
  const resume = `\`${command}\` resumes it`;
  const advice = !hint ? resume : hint.includes(names) ? hint : `${hint}; then ${resume}`;
  return new RalphError(code, message, { hint: advice, exitCode, cause });
}
