import type { Workspace } from "../../adapters/store/workspace.ts";
import { RalphError } from "../../core/errors.ts";
import type { RunState } from "../../core/workflow/state.ts";
import { driveRun } from "../../doors/workflow/open.ts";
import type { RunView } from "../../doors/workflow/run-view.ts";
import { stopControl } from "../../engine/stop-control.ts";
import type { CliContext } from "./context.ts";
import { staySmall } from "./memory.ts";
import { openRunConsole, type RunOutput } from "./run-console.ts";
import { catchSignals } from "./signals.ts";

/** Drives a run in front of a person or a script until it ends or is left. */
export async function followRun(
  cli: CliContext,
  workspace: Workspace,
  output: RunOutput,
  begin: () => Promise<string>,
  watch: Pick<RunView, "run"> = {},
): Promise<{ id: string; state: RunState }> {
  staySmall();
  const stops = stopControl();
  const screen = openRunConsole(cli, output);
  const release = catchSignals(cli, stops, screen.answer);
  try {
    const id = await begin();
    const { state } = await workspace.runs.load(id);
    if (state.started) screen.begin(id, state.started, state.part);
    const view: RunView = {
      ...screen.view,
      run(event, after) {
        screen.view.run?.(event, after);
        watch.run?.(event, after);
      },
    };
    const last = await driveRun({ workspace, stops, reporter: screen.reporter, view }, id).catch((error) => {
      throw error instanceof RalphError ? resumable(error, id) : error;
    });
    screen.end(id, last);
    return { id, state: last };
  } finally {
    screen.close();
    release();
  }
}

/** An error in the middle of a run loses nothing: its hint says how to go on once it is mended. */
function resumable({ code, message, hint, exitCode, cause }: RalphError, id: string): RalphError {
  const goOn = `\`ralph workflow resume ${id}\` goes on`;
  const mended = !hint ? goOn : hint.includes("ralph ") ? hint : `${hint}; then ${goOn}`;
  return new RalphError(code, message, { hint: mended, exitCode, cause });
}
