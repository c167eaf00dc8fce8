import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT } from "../../../core/errors.ts";
import type { AgentRole } from "../../../core/task/role.ts";
import type { ExecutionEnd } from "../../../doors/pipeline/execution.ts";
import { openExecution } from "../../../doors/pipeline/open.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { openExecutionConsole } from "../execution-console.ts";
import { weakProofs } from "../execution-ends.ts";
import { catchSignals } from "../signals.ts";

interface ExecuteOptions {
  spec?: string;
  task?: string;
  maxParallel?: number;
  stages?: AgentRole[];
  target?: string;
  maxCost?: number;
  maxDuration?: number;
  settings?: string;
  agent?: string[];
  scenario?: string;
  acceptChanges?: boolean;
  quiet?: boolean;
  json?: boolean;
  strict?: boolean;
}

/** `ralph execute`. */
export async function executeCommand(options: ExecuteOptions): Promise<number> {
  const cwd = process.cwd();
  const workspace = await openWorkspace(cwd, { create: true });
  const stops = stopControl();
  const screen = openExecutionConsole(options);
  const release = catchSignals(stops, screen.answer);
  try {
    refuseAgents(workspace, "ralph execute");
    const run = await openExecution({ workspace, cwd, stops, view: screen.view, ...options });
    screen.begin(run.plan);
    const end = await run.work();
    screen.end(end);
    return exitCodeOf(end, options.strict || run.strict);
  } finally {
    release();
    workspace.store.close();
  }
}

/** All done, some not, or interrupted; `strict` judges what stands behind the tasks that are done now. */
function exitCodeOf({ stopped, counts, proofs }: ExecutionEnd, strict: boolean): number {
  if (stopped?.as === "interrupted" || stopped?.as === "cancelled") return EXIT.interrupted;
  // What agents have proposed is nobody's work yet.
  const { done: _, cancelled: __, proposed: ___, ...open } = counts;
  const isShort = stopped !== null || Object.values(open).some((count) => count > 0);
  return isShort || (strict && weakProofs(proofs).length > 0) ? EXIT.stopped : EXIT.verified;
}
