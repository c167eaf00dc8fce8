import { writeWholeFile } from "../../../adapters/io/replace-file.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { formatDuration } from "../../../core/duration.ts";
import { RalphError } from "../../../core/errors.ts";
import type { SheetWords } from "../../../core/stats/sheet.ts";
import type { Stats } from "../../../core/stats/stats.ts";
import { VERSION } from "../../../core/version.ts";
import { gatherStats } from "../../../runtime/gather-stats.ts";
import type { Cli, CliProcess } from "../context.ts";
import { type StatsBy, statsLines } from "../views/stats-lines.ts";

interface StatsOptions {
  task?: string;
  spec?: string;
  /** In seconds. */
  since?: number;
  by?: StatsBy;
  json?: boolean;
  svg?: string;
  html?: string;
}

const STDOUT = "-";

export async function statsCommand(cli: Cli, options: StatsOptions): Promise<void> {
  refuseTwoOutputs(options);
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const { task, spec, since } = options;
    const query = {
      ...(task === undefined ? {} : { task }),
      ...(spec === undefined ? {} : { spec }),
      ...(since === undefined ? {} : { sinceMs: Math.max(0, Date.now() - since * 1_000) }),
    };
    const progress = progressLine(cli.process);
    const stats = await gatherStats(workspace, query, progress.at).finally(progress.end);
    await writeCharts(cli, stats, options);
    if (options.json)
      cli.printJson({ task: task ?? null, spec: spec ?? null, since: sinceOf(query.sinceMs), ...stats });
    else if (!options.svg && !options.html) printStats(cli, stats, options);
  });
}

const sinceOf = (sinceMs: number | undefined): string | null =>
  sinceMs === undefined ? null : new Date(sinceMs).toISOString();

function refuseTwoOutputs({ json, svg, html }: StatsOptions): void {
  const out = [
    ...(json ? ["--json"] : []),
    ...(svg === STDOUT ? ["--svg -"] : []),
    ...(html === STDOUT ? ["--html -"] : []),
  ];
  if (out.length < 2 && (svg === undefined || svg === STDOUT || svg !== html)) return;
  const what = out.length < 2 ? `--svg and --html both name ${svg}` : `${out.join(" and ")} both want standard output`;
  throw new RalphError("output-twice", what, { hint: "use a separate file for each, such as --svg stats.svg" });
}

function printStats(cli: Cli, stats: Stats, options: StatsOptions) {
  if (stats.totals.loops > 0) return cli.printWords(statsLines(stats, options.by ?? "task", cli.width()).join("\n"));
  const scope = scopeOf(options);
  cli.printWords(
    scope
      ? `No loop ${scope} yet. \`ralph stats\` shows all of them.`
      : 'No loops here yet, so there are no statistics. Start one: ralph run "…" --verify "…"',
  );
}

/** `of task TASK-001 in the last 7d`. */
const scopeOf = ({ task, spec, since }: StatsOptions): string =>
  [
    ...(task === undefined ? [] : [`of task ${task}`]),
    ...(spec === undefined ? [] : [`of spec ${spec}`]),
    ...(since === undefined ? [] : [`in the last ${spanWords(since)}`]),
  ].join(" ");

const DAY_S = 86_400;
const spanWords = (seconds: number): string =>
  seconds >= 2 * DAY_S && seconds % DAY_S === 0 ? `${seconds / DAY_S} days` : formatDuration(seconds * 1_000);

async function writeCharts(cli: Cli, stats: Stats, options: StatsOptions): Promise<void> {
  const { svg, html } = options;
  const scope = scopeOf(options);
  const words: SheetWords = {
    scope: scope ? `Loops ${scope}` : "All loops of this repository",
    made: `made by ralph stats ${VERSION} on ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
  };
  if (svg !== undefined) await put(cli, svg, (await import("../../../core/stats/sheet.ts")).svgOf(stats, words));
  if (html !== undefined) await put(cli, html, (await import("../../../core/stats/page.ts")).htmlOf(stats, words));
}

async function put(cli: Cli, target: string, content: string): Promise<void> {
  if (target === STDOUT) return cli.print(content);
  writeWholeFile(target, content, cli.cwd());
  cli.report(`wrote ${target}`);
}

const PATIENCE_MS = 700;
const EVERY_MS = 100;

/** Shows the progress, on a terminal and only when it takes long. */
function progressLine({ stderr }: CliProcess): { at(done: number, of: number): void; end(): void } {
  const begun = performance.now();
  let shownAt = 0;
  return {
    at(done, of) {
      const now = performance.now();
      if (!stderr.isTTY || now - begun < PATIENCE_MS || now - shownAt < EVERY_MS) return;
      shownAt = now;
      stderr.write(`\rreading loop ${done + 1} of ${of}…`);
    },
    end: () => void (shownAt > 0 && stderr.write("\r\u001b[K")),
  };
}
