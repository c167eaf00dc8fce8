import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { resumableRun } from "../../../engine/named.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import type { Cli } from "../context.ts";
import { followRun, runExitCode } from "../live/follow-run.ts";
import type { RunOutput } from "../live/run-console.ts";

export async function workflowResumeCommand(cli: Cli, wanted: string, options: RunOutput & { strict?: boolean }) {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    refuseAgents(workspace, "ralph workflow resume");
    const { state } = await followRun(cli, workspace, options, async () => (await resumableRun(workspace, wanted)).id);
    return runExitCode(state, options.strict);
  });
}
