import { writeWholeFile } from "../../../adapters/io/replace-file.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { stripAnsi } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import type { Report } from "../../../core/report/report.ts";
import type { Since } from "../../../core/report/since.ts";
import { VERSION } from "../../../core/version.ts";
import { clockTime } from "../../../core/view/clock.ts";
import { gatherReport } from "../../../runtime/report/gather.ts";
import type { Cli } from "../context.ts";

interface ReportOptions {
  since?: Since;
  html?: boolean;
  markdown?: boolean;
  json?: boolean;
  output?: string;
}

export async function reportCommand(cli: Cli, options: ReportOptions): Promise<void> {
  const form = formOf(options);
  refuseFuture(options.since);
  const report = await inWorkspace({ cwd: cli.cwd() }, (workspace) => gatherReport(workspace, options.since ?? null));
  if (form === "text" && options.output === undefined) {
    const { reportView } = await import("../views/report-view.ts");
    return cli.printWords(reportView(report).join("\n"));
  }
  const content = await contentOf(report, form);
  if (options.output === undefined || options.output === "-") return void cli.print(content);
  writeWholeFile(options.output, content, cli.cwd());
  cli.report(`wrote ${options.output}`);
}

type Form = "text" | "html" | "markdown" | "json";

function formOf({ html, markdown, json }: ReportOptions): Form {
  const forms = Object.entries({ html, markdown, json }).flatMap(([form, asked]) => (asked ? [form as Form] : []));
  const [form = "text", another] = forms;
  if (another === undefined) return form;
  throw new RalphError("usage", "--html, --markdown and --json are three output formats: use only one of them");
}

function refuseFuture(since: Since | undefined): void {
  if (since === undefined || !("atMs" in since) || since.atMs <= Date.now()) return;
  throw new RalphError("usage", `--since ${new Date(since.atMs).toISOString()} is in the future`, {
    hint: "use a time that has passed, such as --since 12h",
  });
}

async function contentOf(report: Report, form: Form): Promise<string> {
  switch (form) {
    case "json":
      return `${JSON.stringify(documentOf(report))}\n`;
    case "markdown":
      return (await import("../../../core/report/markdown.ts")).markdownReport(report, clockTime);
    case "html": {
      const made = `made by ralph report ${VERSION} on ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
      return (await import("../../../core/report/page.ts")).pageReport(report, { clock: clockTime, made });
    }
    case "text": {
      const { reportView } = await import("../views/report-view.ts");
      return `${stripAnsi(reportView(report).join("\n"))}\n`;
    }
  }
}

const documentOf = ({ fromMs, toMs, ...report }: Report) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  ...report,
});
