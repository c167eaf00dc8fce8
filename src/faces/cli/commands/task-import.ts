import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import type { ImportFormat } from "../../../core/task/import-format.ts";
import { type ImportReport, importFile } from "../../../doors/pipeline/import/import.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";

interface ImportOptions {
  spec?: string;
  format?: ImportFormat;
  dryRun?: boolean;
  json?: boolean;
}

export async function taskImportCommand(cli: Cli, file: string, options: ImportOptions): Promise<void> {
  const { spec, format, dryRun = false, json = false } = options;
  return inWorkspace({ cwd: cli.cwd(), create: !dryRun }, async (workspace) => {
    const report = await importFile(workspace, { file, spec, format, dryRun });
    const { proposed, ...rest } = report;
    const created = report.created.map(({ id }) => id);
    if (json) cli.printJson({ ...rest, created, dryRun, ...(proposed ? { proposed } : {}) });
    else printReport(cli, report, dryRun);
  });
}

const MOST_SHOWN = 20;

function printReport(cli: Cli, { created, there, done, specs, proposed }: ImportReport, dryRun: boolean): void {
  for (const spec of specs) cli.report(`${dryRun ? "Would create" : "Created"} the spec ${spec}`);
  const counts = `${created.length} new, ${there.length} existing, ${done} skipped (done)`;
  cli.printLine(dryRun ? `Would import: ${counts}` : `${paint("green", "✓")} ${counts}`);
  if (created.length === 0) return;
  if (proposed) cli.printLine("  proposed: they do not run until the user accepts them");
  cli.printTable(created.slice(0, MOST_SHOWN).map(({ id, title }) => [`  ${id}`, printable(title)]));
  if (created.length > MOST_SHOWN) cli.printLine(`  … and ${created.length - MOST_SHOWN} more: ralph task list`);
}
