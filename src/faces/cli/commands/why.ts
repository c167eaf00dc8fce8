import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT } from "../../../core/errors.ts";
import { loopNamed, runNamed, taskNamed } from "../../../engine/named.ts";
import type { Cli, JsonOption } from "../context.ts";
import { workToShow } from "../views/running.ts";
import { printLoop } from "../views/why-loop.ts";

export async function whyCommand(cli: Cli, given: string | undefined, { json = false }: JsonOption): Promise<number> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const wanted = await workToShow(cli, workspace, given, { command: "ralph why", quiet: json });
    if (await taskNamed(workspace, wanted)) {
      await (await import("../views/why-task.ts")).printTask(cli, workspace, wanted, json);
      return EXIT.verified;
    }
    const run = await runNamed(workspace, wanted);
    if (!run) return printLoop(cli, workspace, await loopNamed(workspace, wanted), json);
    await (await import("../views/why-run.ts")).printRun(cli, workspace, run, json);
    return EXIT.verified;
  });
}
