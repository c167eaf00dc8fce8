import { resumableRun } from "../../../adapters/store/run-named.ts";
import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { followRun } from "../follow-run.ts";
import type { RunOutput } from "../run-console.ts";
import { runExitCode } from "../run-exit.ts";

/** `ralph workflow resume`. */
export async function workflowResumeCommand(
  wanted: string,
  options: RunOutput & { strict?: boolean },
): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    refuseAgents(workspace, "ralph workflow resume");
    const { state } = await followRun(workspace, options, async () => (await resumableRun(workspace, wanted)).id);
    return runExitCode(state, options.strict);
  } finally {
    workspace.store.close();
  }
}
