import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { IMPORT_FORMATS } from "../../../core/task/import-format.ts";
import { TASK_STATUSES, type TaskStatus } from "../../../core/task/task.ts";
import { type Action, add } from "./action.ts";
import { idList, nonEmptyText, repeated, wholeNumberArgument } from "./arguments.ts";
import { withConditions, withCriteria } from "./criteria.ts";
import * as help from "./task-help.ts";
import { TASKS_COMMAND } from "./well-known.ts";

/** The spec and task commands. */
export function addTaskCommands(program: Command, action: Action): void {
  addSpecs(program, action);
  const task = add(program, "task", "tasks, and the definition of done of each");
  task.addHelpText("after", help.TASK);
  addAdd(task, action);
  addCreate(task, action);
  addViews(task, action);
  addUpdate(task, action);
  addFollowup(task, action);
  addImport(task, action);
  addRest(task, action);
  program
    .command(TASKS_COMMAND, { hidden: true })
    .action(action(async () => (await import("../commands/completion-ids.ts")).taskIdsCommand));
}

function addSpecs(program: Command, action: Action): void {
  const spec = add(program, "spec", "specs, the documents that tasks belong to").addHelpText("after", help.SPEC);
  add(spec, "create", "create a spec, or replace its text")
    .argument("<id>", "the spec's id", nonEmptyText)
    .option("--title <text>", "its title (default: the first heading of the file, or its id)", nonEmptyText)
    .option("--file <file>", "its text, for the prompts of its tasks; `-` reads standard input", nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", help.SPEC)
    .action(action(async () => (await import("../commands/spec.ts")).specCreateCommand));
  add(spec, "list", "list the specs, and how many of their tasks are done")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph spec list")
    .action(action(async () => (await import("../commands/spec.ts")).specListCommand));
  add(spec, "show", "show a spec with its text")
    .argument("<id>", "the spec's id", nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph spec show auth-feature")
    .action(action(async () => (await import("../commands/spec.ts")).specShowCommand));
}

const WHICH_TASK = "the task's id";

const withPlace = (command: Command): Command =>
  command
    .option("--description <text>", "what to do, in detail")
    .option("--priority <n>", "1 comes first (default 3)", priority)
    .option("--depends-on <task>", "a task that must be done first (repeatable, or separated by commas)", idList)
    .option("--assignee <name>", "who is responsible");

const asNew = (command: Command): Command =>
  withCriteria(withPlace(command))
    .optionsGroup("Criteria:")
    .option("--no-criteria", "no criteria: promises alone decide when it is done")
    .optionsGroup("Output:")
    .option("--json", "as JSON");

function addAdd(task: Command, action: Action): void {
  const added = add(task, "add", "add tasks by their titles; id and spec are chosen for you")
    .addArgument(
      new Argument("[title...]", "what to do, one task per title (default: standard input)").argParser(repeated),
    )
    .option(
      "--spec <id>",
      "the spec they belong to (default: the only one, or one named after the repository)",
      nonEmptyText,
    );
  withConditions(withPlace(added).addOption(new Option("--depends <task>").argParser(idList).hideHelp()))
    .option(
      "--scope <glob>",
      "the only files they may change; `!` excludes, `+` allows new files (repeatable)",
      repeated,
    )
    .optionsGroup("Output:")
    .option("--json", "as JSON")
    .addHelpText("after", help.ADD)
    .action(action(async () => (await import("../commands/task-add.ts")).taskAddCommand));
}

function addCreate(task: Command, action: Action): void {
  const create = add(task, "create", "create a task, or all tasks of a file")
    .argument("[id]", "the new task's id", nonEmptyText)
    .argument("[spec]", "the spec it belongs to; created if it does not exist", nonEmptyText)
    .argument("[title]", "what to do, in a few words", nonEmptyText)
    .option("--file <file>", "tasks as YAML or JSON instead; `-` reads standard input", nonEmptyText)
    .option("--spec <id>", "with --file: the spec of tasks without one", nonEmptyText);
  asNew(create)
    .addHelpText("after", help.CREATE)
    .action(action(async () => (await import("../commands/task-create.ts")).taskCreateCommand));
}

function addFollowup(task: Command, action: Action): void {
  const followup = add(task, "followup", "create a task that follows up another, in the same spec")
    .argument("<new-id>", "the new task's id", nonEmptyText)
    .argument("<task>", "the task to follow up", nonEmptyText)
    .argument("<title>", "what to do, in a few words", nonEmptyText);
  asNew(followup)
    .addHelpText("after", help.FOLLOWUP)
    .action(action(async () => (await import("../commands/task-create.ts")).taskFollowupCommand));
}

function addViews(task: Command, action: Action): void {
  add(task, "list", "list the tasks, in the order in which they run")
    .option("--spec <id>", "only those of a spec", nonEmptyText)
    .option("--status <status>", `only those: ${TASK_STATUSES.join(", ")} (several separated by commas)`, statuses)
    .option("--ready", "only those that are ready to run")
    .option("-n, --limit <n>", "how many", wholeNumberArgument, 50)
    .option("--json", "as JSON")
    .addHelpText("after", help.LIST)
    .action(action(async () => (await import("../commands/task-list.ts")).taskListCommand));
  add(task, "show", "show everything about a task: criteria, dependencies, history, loops")
    .argument("<task>", WHICH_TASK, nonEmptyText)
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph task show TASK-001")
    .action(action(async () => (await import("../commands/task-show.ts")).taskShowCommand));
}

function addUpdate(task: Command, action: Action): void {
  const update = add(task, "update", "change tasks that are not being worked on, retry them, or drop them")
    .addArgument(new Argument("<task...>", "their ids: all of them are changed, or none").argParser(repeated))
    .option("--title <text>", "what to do, in a few words", nonEmptyText)
    .option("--status <status>", "todo: retry or release it; cancelled: drop it", nonEmptyText);
  withCriteria(withPlace(update).option("--no-depends-on", "remove all its dependencies"))
    .optionsGroup("Output:")
    .option("--json", "as JSON")
    .addHelpText("after", help.UPDATE)
    .action(action(async () => (await import("../commands/task-update.ts")).taskUpdateCommand));
}

function addRest(task: Command, action: Action): void {
  add(task, "export", "export tasks in the format that `task create --file` reads")
    .option("--spec <id>", "only those of a spec", nonEmptyText)
    .addOption(new Option("--format <format>", "the format").choices(["yaml", "json"]).default("yaml"))
    .option("--output <file>", "into a file (default: standard output)", nonEmptyText)
    .addHelpText("after", help.EXPORT)
    .action(action(async () => (await import("../commands/task-export.ts")).taskExportCommand));
  add(task, "accept", "review tasks that agents have proposed, and let them run")
    .addArgument(new Argument("[task...]", "their ids").argParser(repeated))
    .option("--all", "every proposed task")
    .option("-y, --yes", "without asking")
    .option("--json", "as JSON")
    .addHelpText("after", help.ACCEPT)
    .action(action(async () => (await import("../commands/task-accept.ts")).taskAcceptCommand));
  add(task, "delete", "remove tasks that nothing depends on and that have no unmerged work")
    .addArgument(new Argument("<task...>", "their ids").argParser(repeated))
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph task delete TASK-001 TASK-002")
    .action(action(async () => (await import("../commands/task-delete.ts")).taskDeleteCommand));
}

function priority(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError("Expected a whole number from 0, such as 2; 1 comes first.");
  return Number(text);
}

function statuses(text: string): TaskStatus[] {
  return text.split(",").map((word) => {
    const status = TASK_STATUSES.find((one) => one === word.trim());
    if (!status) throw new InvalidArgumentError(`Expected ${TASK_STATUSES.join(", ")}, or several of them.`);
    return status;
  });
}

function addImport(task: Command, action: Action): void {
  add(task, "import", "import tasks from a prd.json, a Markdown list, GitHub issues or YAML")
    .argument("<file>", "the file; `-` reads standard input", nonEmptyText)
    .option("--spec <id>", "the spec they belong to (default: the project in the file, or its name)", nonEmptyText)
    .addOption(new Option("--format <format>", "the file's format, if it cannot be detected").choices(IMPORT_FORMATS))
    .option("--dry-run", "show what would be imported; write nothing")
    .option("--json", "as JSON")
    .addHelpText("after", help.IMPORT)
    .action(action(async () => (await import("../commands/task-import.ts")).taskImportCommand));
}
