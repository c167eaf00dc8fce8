import type { Command } from "commander";
import { type Action, add } from "./action.ts";
import { nonEmptyText, wholeNumberArgument } from "./arguments.ts";

export function addDiff(program: Command, action: Action): void {
  add(program, "diff", "show what a loop or task has changed")
    .argument("[loop]", "its id, the beginning of one, or `last`; or the id of a task", nonEmptyText, "last")
    .option("--tests", "only files that decide results: tests, snapshots, fixtures, test helpers, runner configuration")
    .option("--iteration <n>", "only the changes of that iteration", wholeNumberArgument)
    .option("--stat", "how many lines changed in each file")
    .option("--name-only", "only the names of the files")
    .option("--json", "the changed files as JSON")
    .addHelpText("after", EXAMPLES)
    .action(action(async () => (await import("../commands/diff.ts")).diffCommand));
}

const EXAMPLES = `
Examples:
  ralph diff                          what the last loop changed
  ralph diff --tests                  what it changed of the tests
  ralph diff 3f2a --iteration 2
  ralph diff TASK-001 --stat          what a task changed since its branch began
  ralph diff last > work.patch

A loop is compared with the files as they were when it began, uncommitted and untracked ones included. On a terminal git
shows it, with your own pager and colours (GIT_PAGER, core.pager, PAGER).

Exit codes: 0 shown, also where nothing changed · 1 not recorded, or no longer there · 2 usage: no such loop or task`;
