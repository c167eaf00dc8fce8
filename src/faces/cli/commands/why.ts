import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT } from "../../../core/errors.ts";
import { isBegun } from "../../../core/task/task.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopNamed, runNamed, taskNamed } from "../../../engine/named.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli, JsonOption } from "../context.ts";
import { workToShow } from "../views/running.ts";
import { printLoop } from "../views/why-loop.ts";

/** What was worked on last: a loop of a task or run is part of it, and a task may have stopped before its first loop. */
async function lastWork({ store, tasks }: Workspace): Promise<string> {
  const [loop] = await store.summaries({ limit: 1 });
  if (loop) return loop.part?.task ?? loop.run?.run ?? loop.id;
  const begun = (await tasks.list()).filter(isBegun).sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  return begun[0]?.id ?? "last";
}

export async function whyCommand(cli: Cli, given: string | undefined, { json = false }: JsonOption): Promise<number> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const quiet = json || given === undefined;
    const shown = await workToShow(cli, workspace, given, { command: "ralph why", quiet });
    const wanted = given === undefined && shown === "last" ? await lastWork(workspace) : shown;
    if (!json && given === undefined && shown === "last" && wanted !== "last" && cli.process.stderr.isTTY)
      cli.report(paint("dim", `nothing is running here: this is what ran last, ${wanted}`));
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
