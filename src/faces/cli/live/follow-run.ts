import { EXIT, RalphError } from "../../../core/errors.ts";
import { isStrictEnough } from "../../../core/proof/level.ts";
import type { RunState, RunStatus } from "../../../core/workflow/state.ts";
import type { Workspace } from "../../../core/workspace.ts";
import type { RunView } from "../../../doors/workflow/context.ts";
import { driveRun } from "../../../doors/workflow/open.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import type { Cli } from "../context.ts";
import { resumable } from "./follow.ts";
import { catchSignals, staySmall } from "./process.ts";
import { openRunConsole, type RunOutput } from "./run-console.ts";

/** Drives a run and prints it until it ends or pauses. */
export async function followRun(
  cli: Cli,
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
      throw error instanceof RalphError ? resumable(error, `ralph workflow resume ${id}`, "ralph ") : error;
    });
    screen.end(id, last);
    return { id, state: last };
  } finally {
    screen.close();
    release();
  }
}

const CODES: Partial<Record<RunStatus, number>> = { completed: EXIT.verified, failed: EXIT.stopped };

/** The exit code of a command that drove a run. A run that waits for the user has stopped; it was not interrupted. */
export function runExitCode({ status, waits, proof, started }: RunEnd, strict = false): number {
  const isWeak = status === "completed" && proof !== null && !isStrictEnough(proof);
  if (isWeak && (strict || started?.settings?.proof === "strict")) return EXIT.stopped;
  return CODES[status] ?? (waits ? EXIT.stopped : EXIT.interrupted);
}

type RunEnd = Pick<RunState, "status" | "waits" | "proof" | "started">;
