import { type Command, Option } from "commander";
import type { StatsBy } from "../views/stats-lines.ts";
import { type Action, add } from "./action.ts";
import { moment, nonEmptyText, wholeNumberArgument } from "./arguments.ts";
import { durationOption } from "./duration-option.ts";

export function addBoard(program: Command, action: Action): void {
  add(program, "board", "show the tasks in lanes and what every agent does, live, in the terminal")
    .option("--spec <id>", "only the tasks of this spec", nonEmptyText)
    .option("--json", "what it shows, as one JSON document")
    .addHelpText("after", BOARD_EXAMPLES)
    .action(action(async () => (await import("../commands/board.ts")).boardCommand));
}

const BOARD_EXAMPLES = `
Examples:
  ralph board
  ralph board --spec auth
  ralph board --json | jq .totals

? shows the keys, q quits: running work continues.

Exit codes: 0 left with q or Ctrl-C · 2 not on a terminal · 130 ended by a signal`;

export function addDiff(program: Command, action: Action): void {
  add(program, "diff", "show what a loop or task has changed")
    .argument(
      "[loop]",
      "its id, the beginning of one, or `last`; or the id of a task (default: the one that runs here, or else the last loop)",
      nonEmptyText,
    )
    .option("--tests", "only files that decide results: tests, snapshots, fixtures, test helpers, runner configuration")
    .option("--iteration <n>", "only the changes of that iteration", wholeNumberArgument)
    .option("--stat", "how many lines changed in each file")
    .option("--name-only", "only the names of the files")
    .option("--json", "the changed files as JSON")
    .addHelpText("after", DIFF_EXAMPLES)
    .action(action(async () => (await import("../commands/diff.ts")).diffCommand));
}

const DIFF_EXAMPLES = `
Examples:
  ralph diff                          what the running loop, or else the last one, changed
  ralph diff --tests                  its changes to tests and their configuration
  ralph diff 3f2a --iteration 2
  ralph diff TASK-001 --stat          what a task changed since the start of its branch
  ralph diff last > work.patch

A loop is compared with the files before it started, including uncommitted and untracked ones. On a terminal, git shows
the changes with your own pager and colours (GIT_PAGER, core.pager, PAGER).

Exit codes: 0 shown, even if nothing changed · 1 not recorded, or no longer available · 2 usage: no such loop or task`;

const ROWS: readonly StatsBy[] = ["task", "stage", "iteration"];

export function addStats(program: Command, action: Action): void {
  add(program, "stats", "show time and cost of tasks, stages and iterations, and why claims were refused")
    .option("--task <id>", "only this task", nonEmptyText)
    .option("--spec <id>", "only the tasks of this spec", nonEmptyText)
    .addOption(durationOption("--since <time>", "only loops with activity in that time, such as 7d or 12h"))
    .addOption(new Option("--by <what>", "the rows of the table").choices(ROWS).default("task"))
    .option("--json", "as JSON")
    .option("--svg <file>", "write charts as a picture; - for standard output", nonEmptyText)
    .option("--html <file>", "write charts and tables as one page; - for standard output", nonEmptyText)
    .addHelpText("after", STATS_EXAMPLES)
    .action(action(async () => (await import("../commands/stats.ts")).statsCommand));
}

const STATS_EXAMPLES = `
Examples:
  ralph stats                                 time and cost of every task, and why claims were refused
  ralph stats --by stage --since 7d
  ralph stats --task TASK-001 --by iteration
  ralph stats --svg stats.svg --html stats.html

Nothing is run: the journals are read. A loop is counted with all its iterations.`;

export function addReport(program: Command, action: Action): void {
  add(program, "report", "show what was done, what is blocked and why, what waits for you, and what it cost")
    .addOption(
      durationOption(
        "--since <time>",
        "since when: 12h, 7d, 2026-11-18 (default: the start of the last execution, or 24h)",
        moment,
      ),
    )
    .option("--html", "as one HTML file")
    .option("--markdown", "as Markdown")
    .option("--json", "as JSON")
    .option("-o, --output <file>", "write it to a file", nonEmptyText)
    .addHelpText("after", REPORT_EXAMPLES)
    .action(action(async () => (await import("../commands/report.ts")).reportCommand));
}

const REPORT_EXAMPLES = `
Examples:
  ralph report                                the last execution, or the last 24 hours
  ralph report --since 12h
  ralph report --since 2026-11-18 --html --output report.html
  ralph report --markdown | gh issue comment 12 --body-file -

Tasks, workflow runs and loops of \`ralph run\` are listed together. Nothing is run: the journals are read.`;
