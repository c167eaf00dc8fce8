import { type Command, Option } from "commander";
import type { StatsBy } from "../views/stats-lines.ts";
import { type Action, add } from "./action.ts";
import { durationSeconds, nonEmptyText } from "./arguments.ts";

const ROWS: readonly StatsBy[] = ["task", "stage", "iteration"];

export function addStats(program: Command, action: Action): void {
  add(program, "stats", "show what tasks, stages and iterations took, and why claims were refused")
    .option("--task <id>", "only this task", nonEmptyText)
    .option("--spec <id>", "only the tasks of this spec", nonEmptyText)
    .option("--since <time>", "only loops that did something in that time, such as 7d or 12h", durationSeconds)
    .addOption(new Option("--by <what>", "the rows of the table").choices(ROWS).default("task"))
    .option("--json", "as JSON")
    .option("--svg <file>", "write charts as a picture; - for standard output", nonEmptyText)
    .option("--html <file>", "write charts and tables as one page; - for standard output", nonEmptyText)
    .addHelpText("after", EXAMPLES)
    .action(action(async () => (await import("../commands/stats.ts")).statsCommand));
}

const EXAMPLES = `
Examples:
  ralph stats                                 every task, what it took, and why claims were refused
  ralph stats --by stage --since 7d
  ralph stats --task TASK-001 --by iteration
  ralph stats --svg stats.svg --html stats.html

Nothing is run: the journals are read. A loop is counted with all its iterations.`;
