import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { stopFacts } from "../../../core/loop/stop-reasons.ts";
import type { Workspace } from "../../../core/workspace.ts";
import type { ExecutionEnd } from "../../../doors/pipeline/execution-end.ts";
import { openExecution } from "../../../doors/pipeline/open.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { missingTerminal } from "../../terminal/terminal-process.ts";
import type { Cli } from "../context.ts";
import { openExecutionConsole } from "../live/execution-console.ts";
import type { Following, FollowRequest } from "../live/follow-execution.ts";
import { catchSignals } from "../live/process.ts";
import { askedFlags } from "../program/agent-options.ts";
import { weakProofs } from "../views/execution-ends.ts";
import type { ExecuteOptions } from "./execute-options.ts";

export async function executeCommand(cli: Cli, ids: readonly string[], given: ExecuteOptions): Promise<number> {
  const named = [...ids, ...(given.task ?? [])];
  const options = named.length > 0 ? { ...given, task: named } : given;
  if (options.board) requireBoard(cli, options);
  if (options.dryRun) return (await import("./execute-dry-run.ts")).executeDryRun(cli, options);
  return inWorkspace({ cwd: cli.cwd(), create: true }, (workspace) => execute(cli, workspace, options));
}

async function execute(cli: Cli, workspace: Workspace, options: ExecuteOptions): Promise<number> {
  const stops = stopControl();
  const screen = openExecutionConsole(cli, options);
  const release = catchSignals(cli, stops, screen.answer);
  try {
    refuseAgents(workspace, "ralph execute");
    const run = await openExecution({
      workspace,
      cwd: cli.cwd(),
      stops,
      view: screen.view,
      ...options,
      ...askedFlags(options),
    });
    screen.begin(run.plan);
    const live = screen.lively || options.board ? await follow({ cli, workspace, screen, options }) : null;
    const end = await run.work().finally(() => live?.close());
    screen.end(end);
    if (end.failure) throw new RalphError(end.failure.code, end.failure.message, end.failure);
    return exitCodeOf(end, run.strict);
  } finally {
    release();
  }
}

function requireBoard(cli: Cli, { dryRun, json, quiet }: ExecuteOptions): void {
  const [other] = [dryRun && "--dry-run", json && "--json", quiet && "--quiet"].filter(Boolean);
  if (other)
    throw new RalphError("usage", `--board and ${other} cannot be combined`, {
      hint: `leave one of them out; \`ralph board\` shows an execution that runs in another terminal`,
    });
  const missing = missingTerminal(cli.process);
  if (missing === null) return;
  throw new RalphError("usage", `--board needs ${missing}`, {
    hint: "leave it out, and look with `ralph status`, or `ralph serve` for a browser",
  });
}

async function follow(request: FollowRequest): Promise<Following | null> {
  const { followExecution } = await import("../live/follow-execution.ts");
  return followExecution(request);
}

/** All done, some not, or stopped; `strict` counts completed tasks with weak proof as not done. */
function exitCodeOf({ stopped, counts, proofs }: ExecutionEnd, strict: boolean): number {
  if (stopped) return stopFacts(stopped.as).exit;
  // Proposed tasks do not count.
  const { done: _, cancelled: __, proposed: ___, ...open } = counts;
  const isShort = Object.values(open).some((count) => count > 0);
  return isShort || (strict && weakProofs(proofs).length > 0) ? EXIT.stopped : EXIT.verified;
}
