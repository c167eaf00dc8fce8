import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import type { ImportFormat } from "../../../core/task/import-format.ts";
import { type ImportReport, importFile } from "../../../doors/pipeline/import/import.ts";
import { paint } from "../paint.ts";
import { printJson, printLine, table, tell } from "../print.ts";

interface ImportOptions {
  spec?: string;
  format?: ImportFormat;
  dryRun?: boolean;
  json?: boolean;
}

/** `ralph task import`. */
export async function taskImportCommand(file: string, options: ImportOptions): Promise<number> {
  const { spec, format, dryRun = false, json = false } = options;
  const workspace = await openWorkspace(process.cwd(), { create: !dryRun });
  try {
    const report = await importFile(workspace, { file, spec, format, dryRun });
    const { proposed, ...rest } = report;
    const created = report.created.map(({ id }) => id);
    if (json) printJson({ ...rest, created, dryRun, ...(proposed ? { proposed } : {}) });
    else tellReport(report, dryRun);
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}

const MOST_SHOWN = 20;

function tellReport({ created, there, done, specs, proposed }: ImportReport, dryRun: boolean): void {
  for (const spec of specs) tell(`${dryRun ? "Would make" : "Made"} the spec ${spec}`);
  const counts = `${created.length} new, ${there.length} there already, ${done} skipped (done)`;
  printLine(dryRun ? `Would import: ${counts}` : `${paint("green", "✓")} ${counts}`);
  if (created.length === 0) return;
  if (proposed) printLine("  proposed: nothing of them runs before a person accepts it");
  printLine(table(created.slice(0, MOST_SHOWN).map(({ id, title }) => [`  ${id}`, printable(title)])));
  if (created.length > MOST_SHOWN) printLine(`  … and ${created.length - MOST_SHOWN} more: ralph task list`);
}
