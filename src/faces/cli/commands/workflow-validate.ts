import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { type ValidatedFile, validateWorkflows } from "../../../doors/workflow/file/validate.ts";
import type { Cli, JsonOption } from "../context.ts";
import { reportNext } from "../output/next.ts";
import { faultLines } from "../views/workflow-lines.ts";

export async function workflowValidateCommand(cli: Cli, paths: readonly string[], { json }: JsonOption) {
  const { files, notes } = await validateWorkflows(cli.cwd(), paths);
  const valid = files.every((one) => one.valid);
  if (json) cli.printJson({ valid, files, notes });
  else {
    for (const line of files.flatMap(fileLines)) cli.printLine(line);
    for (const note of notes) cli.printWords(`note: ${printable(note)}`);
    cli.printWords(summary(files));
    const name = files.find((one) => one.name)?.name;
    if (valid && name) reportNext(cli, `ralph workflow run ${printable(name)} "…" --dry-run`);
  }
  return valid ? EXIT.verified : EXIT.stopped;
}

const fileLines = (one: ValidatedFile): string[] =>
  one.valid ? [`${printable(one.file)}: valid, workflow ${printable(one.name ?? "")}`] : faultLines(one);

function summary(files: readonly ValidatedFile[]): string {
  if (files.length === 0) return "No workflows here: .ralph/workflows and .archon/workflows contain none.";
  const faulty = files.filter(({ valid }) => !valid).length;
  const all = `${files.length} file${files.length === 1 ? "" : "s"}`;
  return faulty === 0 ? `${all}, all valid.` : `${all}, ${faulty} with faults.`;
}
