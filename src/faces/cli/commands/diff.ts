import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { comparedFiles, type ShownFile } from "../../../runtime/diff/changes.ts";
import { type Comparison, comparisonOf } from "../../../runtime/diff/comparison.ts";
import { leftOutWords } from "../../../runtime/diff/shown.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { type Form, showFiles } from "../diff/show.ts";
import { workToShow } from "../views/running.ts";

interface DiffOptions {
  tests?: boolean;
  iteration?: number;
  stat?: boolean;
  nameOnly?: boolean;
  json?: boolean;
}

export async function diffCommand(cli: Cli, given: string | undefined, options: DiffOptions): Promise<void> {
  const form = formOf(options);
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const wanted = await workToShow(cli, workspace, given, { command: "ralph diff", quiet: options.json });
    const comparison = await comparisonOf(workspace, wanted, options.iteration ?? null);
    try {
      const files = await comparedFiles(comparison, options.tests ?? false);
      const { of, from, to, leftOut, notes } = comparison;
      // The patch is only shown without `--json`.
      if (options.json) cli.printJson({ ...of, from, to, files, leftOut, notes });
      else await show(cli, comparison, files, { form, tests: options.tests ?? false });
    } finally {
      comparison.close();
    }
  });
}

function formOf({ stat, nameOnly, json }: DiffOptions): Form {
  if ([stat, nameOnly, json].filter(Boolean).length > 1) {
    throw new RalphError("usage", "--stat, --name-only and --json are three output formats: use only one of them");
  }
  return stat ? "stat" : nameOnly ? "names" : "patch";
}

interface How {
  form: Form;
  tests: boolean;
}

async function show(cli: Cli, comparison: Comparison, files: readonly ShownFile[], { form, tests }: How) {
  for (const note of comparison.notes) cli.report(paint("yellow", `! ${printable(note)}`));
  for (const file of tests ? [] : comparison.leftOut) cli.report(paint("yellow", `! ${printable(leftOutWords(file))}`));
  if (files.length === 0) return cli.report(nothing(comparison, tests));
  const { stdout, env } = cli.process;
  const how = {
    ...{ form, some: tests, noColour: Boolean(env.NO_COLOR) },
    to: stdout.isTTY ? ("terminal" as const) : stdout.fd === undefined ? ("stream" as const) : ("file" as const),
    print: cli.print,
    line: (text: string) => cli.printLine(painted(text)),
  };
  if (await showFiles(comparison, files, how)) return;
  throw new RalphError("diff-failed", "git could not show what changed", { exitCode: EXIT.stopped });
}

const nothing = ({ of }: Comparison, tests: boolean): string => {
  const [what, id] = Object.entries(of)[0] ?? [];
  return `${what} ${id} changed ${tests ? "no tests, snapshots, fixtures or test configuration" : "nothing"}`;
};

function painted(line: string): string {
  if (/^(?:diff|index|---|\+\+\+|new file|deleted file|similarity|rename|old mode|new mode) ?/.test(line)) {
    return paint("bold", line);
  }
  if (line.startsWith("")) return paint("cyan", line);
  if (line.startsWith("+")) return paint("green", line);
  return line.startsWith("-") ? paint("red", line) : line;
}
