import { printable } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { exitCodeOf } from "../../../core/loop/stop-reasons.ts";
import type { Workspace } from "../../../core/workspace.ts";
import type { HarnessEnd, LoopFollower } from "../../../doors/harness/open.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import type { Driving } from "../../../runtime/drive-loop.ts";
import type { Neighbours } from "../../../runtime/neighbours.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { worktreeLines } from "../views/worktree-lines.ts";
import { type OutputOptions, openConsole } from "./console.ts";
import { catchSignals, staySmall } from "./process.ts";

/** Prints a loop while `drive` drives it; returns the exit code. */
export async function followLoop(
  cli: Cli,
  workspace: Workspace,
  output: OutputOptions & { force?: boolean },
  drive: (driving: Driving, follower: LoopFollower) => Promise<HarnessEnd>,
): Promise<number> {
  staySmall();
  const stops = stopControl();
  const screen = openConsole(cli, output);
  const release = catchSignals(cli, stops, screen.answer);
  let id: string | null = null;
  const isQuiet = output.quiet || output.json;
  const follower: LoopFollower = {
    neighbours: besideOthers(cli, output),
    say: (words) => (isQuiet ? undefined : cli.report(paint("dim", `  ${printable(words)}`))),
    begin(run) {
      id = run.id;
      screen.begin(run);
    },
    entry: screen.entry,
  };
  try {
    const { run, state, worktree } = await drive({ workspace, stops, view: screen.view }, follower);
    if (worktree && output.json) cli.printJson({ type: "worktree", loop: run.id, ...worktree });
    const code = exitCodeOf(screen.end(run, state), run.spec.strict);
    if (worktree && !output.json) for (const line of worktreeLines(run.id, worktree)) cli.report(line);
    return code === EXIT.verified && worktree?.why ? EXIT.stopped : code;
  } catch (error) {
    throw id !== null && error instanceof RalphError ? resumable(error, `ralph resume ${id}`, "ralph resume") : error;
  } finally {
    screen.close();
    release();
  }
}

/** Adds to an error how to resume, unless its hint already contains `names`. */
export function resumable(error: RalphError, command: string, names: string): RalphError {
  const { hint } = error;
  const resume = `\`${command}\` resumes it`;
  const advice = !hint ? resume : hint.includes(names) ? hint : `${hint}; then ${resume}`;
  return error.with({ hint: advice });
}

/** Of live loops that may change the same files, the user gets a warning if the command starts beside them. */
export const besideOthers = (cli: Cli, options: { force?: boolean; quiet?: boolean; json?: boolean }): Neighbours => ({
  allow: options.force ?? false,
  warn(words) {
    if (!options.quiet && !options.json) cli.report(paint("yellow", `! ${printable(words)}`));
  },
});
