import { type Command, Option } from "commander";
import type { Action } from "./action.ts";
import { seconds, words } from "./arguments.ts";
import { STATS_BY } from "./stats-by.ts";

/** Declares `ralph stats`. */
export function addStats(program: Command, action: Action): void {
  program
    .command("stats")
    .description("what tasks, stages and iterations took, and why claims were refused")
    .option("--task <id>", "only this task", words)
    .option("--spec <id>", "only the tasks of this spec", words)
    .option("--since <time>", "only loops that did something in that time, such as 7d or 12h", seconds)
    .addOption(new Option("--by <what>", "the rows of the table").choices(STATS_BY).default("task"))
    .option("--json", "as JSON")
    .option("--svg <file>", "write charts as a picture; - for standard output", words)
    .option("--html <file>", "write charts and tables as one page; - for standard output", words)
    .addHelpText("after", EXAMPLES)
    .action(action(async () => (await import("./commands/stats.ts")).statsCommand));
}

const EXAMPLES = `
Examples:
  ralph stats                                 every task, what it took, and why claims were refused
  ralph stats --by stage --since 7d
  ralph stats --task TASK-001 --by iteration
  ralph stats --svg stats.svg --html stats.html

Nothing is run: the journals are read. A loop counts as a whole, with all its iterations.`;
