import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT } from "../../../core/errors.ts";
import { dryExecution } from "../../../doors/pipeline/open.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { askedFlags } from "../program/agent-options.ts";
import { nothingToDo } from "../views/execution-ends.ts";
import { outlineRows } from "../views/outline-rows.ts";
import { DRY_RUN, printRows, reportProblems } from "./dry-run.ts";
import type { ExecuteOptions } from "./execute-options.ts";

/** `ralph execute --dry-run`. An execution that cannot start is described too, with the exit code of the real one. */
export async function executeDryRun(cli: Cli, options: ExecuteOptions): Promise<number> {
  const outline = await inWorkspace({ cwd: cli.cwd() }, (workspace) =>
    dryExecution({ workspace, cwd: cli.cwd(), ...options, ...askedFlags(options) }),
  );
  const { tasks, waiting, problems } = outline;
  if (options.json) cli.printJson(outline);
  else {
    cli.printLine(DRY_RUN);
    if (tasks.length + waiting.length === 0) for (const line of nothingToDo()) cli.printLine(line);
    printRows(
      cli,
      outlineRows(outline, cli.cwd()).filter(([name, lines]) => lines.length > 0 || name !== "not now"),
    );
    if (tasks.length > 0 && problems.length === 0)
      cli.printLine(paint("dim", "\nralph execute starts it; ralph task update <id> … changes a task first"));
  }
  return reportProblems(cli, problems) || EXIT.verified;
}
