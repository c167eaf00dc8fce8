import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { type ExportFormat, exportedText, writeWhole } from "../../../doors/pipeline/tasks/task-export.ts";
import { print, tell } from "../print.ts";

interface ExportOptions {
  spec?: string;
  format: ExportFormat;
  output?: string;
}

/** `ralph task export`. */
export async function taskExportCommand({ spec, format, output }: ExportOptions): Promise<number> {
  const { tasks, store, cwd } = await openWorkspace(process.cwd());
  try {
    if (spec !== undefined && !(await tasks.spec(spec))) {
      throw new RalphError("spec-unknown", `there is no spec ${spec}`, { hint: "`ralph spec list` shows them" });
    }
    const text = exportedText(tasks.all(spec === undefined ? {} : { spec }), format);
    if (output === undefined) for await (const part of text) await print(part);
    else {
      await writeWhole(output, cwd, text);
      tell(`Wrote ${output}`);
    }
    return EXIT.verified;
  } finally {
    store.close();
  }
}
