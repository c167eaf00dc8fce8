import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { checkRunNeighbours } from "../../../doors/workflow/open.ts";
import { resumableRun } from "../../../engine/named.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import type { Cli } from "../context.ts";
import { besideOthers } from "../live/follow.ts";
import { followRun, runExitCode } from "../live/follow-run.ts";
import type { RunOutput } from "../live/run-console.ts";

interface Options extends RunOutput {
  strict?: boolean;
  force?: boolean;
}

export async function workflowResumeCommand(cli: Cli, wanted: string, options: Options) {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    refuseAgents(workspace, "ralph workflow resume");
    const { state } = await followRun(cli, workspace, options, async () => {
      const { id } = await resumableRun(workspace, wanted);
      const { started } = (await workspace.runs.load(id)).state;
      if (started) await checkRunNeighbours(workspace, { id, started }, besideOthers(cli, options));
      return id;
    });
    return runExitCode(state, options.strict);
  });
}
