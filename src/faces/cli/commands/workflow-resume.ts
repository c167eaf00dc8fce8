import { resumableRun } from "../../../adapters/store/run-named.ts";
import { requirePerson } from "../../../runtime/person.ts";
import type { CliContext } from "../context.ts";
import { followRun } from "../follow-run.ts";
import { inWorkspace } from "../in-workspace.ts";
import type { RunOutput } from "../run-console.ts";
import { runExitCode } from "../run-exit.ts";

/** `ralph workflow resume`. */
export async function workflowResumeCommand(
  cli: CliContext,
  wanted: string,
  options: RunOutput & { strict?: boolean },
): Promise<number> {
  return inWorkspace(cli, async (workspace) => {
    requirePerson(workspace, "ralph workflow resume");
    const { state } = await followRun(cli, workspace, options, async () => (await resumableRun(workspace, wanted)).id);
    return runExitCode(state, options.strict);
  });
}
