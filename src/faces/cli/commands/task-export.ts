import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import { type ExportFormat, exportedText, writeWhole } from "../../../doors/pipeline/tasks/task-export.ts";
import type { Cli } from "../context.ts";

interface ExportOptions {
  spec?: string;
  format: ExportFormat;
  output?: string;
}

export async function taskExportCommand(cli: Cli, { spec, format, output }: ExportOptions): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async ({ tasks, cwd }) => {
    if (spec !== undefined && !(await tasks.spec(spec))) {
      throw new RalphError("spec-unknown", `there is no spec ${spec}`, { hint: "`ralph spec list` shows them" });
    }
    const text = exportedText(tasks.all(spec === undefined ? {} : { spec }), format);
    if (output === undefined) for await (const part of text) await cli.print(part);
    else {
      await writeWhole(output, cwd, text);
      cli.report(`Wrote ${output}`);
    }
  });
}
