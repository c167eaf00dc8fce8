import { loopsOfRun, withRunHolder } from "../../adapters/store/run-named.ts";
import type { Workspace } from "../../adapters/store/workspace.ts";
import { printable } from "../../core/ansi.ts";
import { dollars } from "../../core/usage.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { CliContext } from "./context.ts";
import { toned } from "./end-lines.ts";
import { paint } from "./paint.ts";
import { agoOf } from "./phrases.ts";
import { isLeft, placeWords, statusWords } from "./run-words.ts";

/** Everything about one run of a workflow, with the loops it has begun. */
export async function showRun(cli: CliContext, workspace: Workspace, found: RunSummary, json: boolean): Promise<void> {
  const run = await withRunHolder(workspace, found);
  const loops = await loopsOfRun(workspace, run.id);
  if (json) return cli.printJson({ ...run, loops });
  const goOn = run.status === "interrupted" || isLeft(run) ? ` (ralph workflow resume ${run.id})` : "";
  const rows: [string, string][] = [
    ["run", run.id],
    ["workflow", printable(run.workflow)],
    ["message", printable(run.message) || "none"],
    ["status", `${statusWords(run)}${run.detail ? `: ${printable(run.detail)}` : ""}${goOn}`],
    ["progress", placeWords(run)],
    ["spent", dollars(run.costUsd)],
    ["started", `${new Date(run.createdAtMs).toISOString()} (${agoOf(run.createdAtMs)})`],
    ["updated", agoOf(run.updatedAtMs)],
    ["folder", run.cwd],
    [run.held ? "driver" : "last by", run.holder || "nobody yet"],
  ];
  for (const [name, value] of rows) cli.printLine(`${paint("dim", name.padEnd(9))} ${value}`);
  for (const { id, run: of, reason, status, iteration } of loops)
    cli.printLine(
      `  ${printable(of?.part ?? "")}: loop ${id}, ${reason ? toned(reason, reason) : status}, iteration ${iteration}`,
    );
}
